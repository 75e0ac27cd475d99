/** The maintenance that the owner announced: in their time zone, with UTC beside it. */
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useQuery } from '@tanstack/react-query'
import { type MaintenanceWindow, maintenanceQuery } from '../../../api/monitors.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { nextText, ownZone, REPEAT_NAMES, utcText, windowText } from './window-words.ts'

const MINUTE_MS = 60_000

interface WindowProps {
  readonly window: MaintenanceWindow
  readonly nowMs: number
  readonly onDelete: (() => void) | undefined
}

function Window({ window, nowMs, onDelete }: WindowProps) {
  const { starts_at, repeats, time_zone, note } = window
  const isElsewhere = repeats !== 'never' && time_zone !== ownZone()
  return (
    <li className="section-row">
      <div>
        <strong>{windowText(window)}</strong>
        <p className="muted">
          {utcText(starts_at)}. {REPEAT_NAMES[repeats]}
          {isElsewhere && ` at that time of day in ${time_zone}`}. {nextText(window, nowMs)}.
        </p>
        {note !== null && <p dir="auto">{note}</p>}
      </div>
      {onDelete && (
        <div className="section-row-buttons">
          <button
            type="button"
            className="line-button line-button-danger"
            aria-label={`Delete the maintenance of ${windowText(window)}`}
            onClick={onDelete}
          >
            Delete
          </button>
        </div>
      )}
    </li>
  )
}

interface MaintenanceCardProps {
  readonly domainId: string
  readonly canChange: boolean
  readonly onShow: (name: 'add-maintenance' | 'delete-maintenance', id?: string) => void
}

export function MaintenanceCard({ domainId, canChange, onShow }: MaintenanceCardProps) {
  const query = useQuery(maintenanceQuery(domainId))
  const nowMs = useNow(MINUTE_MS)
  return (
    <section className="card section-card" aria-labelledby="maintenance-title">
      <h2 id="maintenance-title" tabIndex={-1}>
        Maintenance
      </h2>
      <p>
        During maintenance the domain is not checked, no mail is sent, and the time is left out of
        the uptime.
      </p>
      {canChange && (
        <button type="button" className="line-button fit" onClick={() => onShow('add-maintenance')}>
          <Icon name="add" size={16} />
          Add Maintenance
        </button>
      )}
      <Loaded query={query}>
        {(windows) =>
          windows.length === 0 ? (
            <p className="muted">No maintenance is announced.</p>
          ) : (
            <ul className="section-rows" aria-labelledby="maintenance-title">
              {windows.map((window) => (
                <Window
                  key={window.id}
                  window={window}
                  nowMs={nowMs}
                  onDelete={canChange ? () => onShow('delete-maintenance', window.id) : undefined}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
