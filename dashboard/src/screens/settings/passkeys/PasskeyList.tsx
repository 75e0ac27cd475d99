import { ageText, dayText } from '@homing/theme/formats'
import type { Passkey } from '../../../api/passkeys.ts'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useDialogInUrl, useSubject } from '../../../dialog-url.ts'
import { RemovePasskeyDialog } from './RemovePasskeyDialog.tsx'
import { RenamePasskeyDialog } from './RenamePasskeyDialog.tsx'

const MINUTE_MS = 60_000

const DIALOGS = ['rename', 'remove'] as const

/** Where the passkey is kept, as far as the authenticator says. */
function keeperOf({ authenticator, is_synced, transports }: Passkey): string {
  const where = authenticator ?? (transports.includes('usb') ? 'Security key' : undefined)
  const range = is_synced ? 'Synced between devices' : 'Only on this device'
  return where === undefined ? range : `${where} · ${range}`
}

interface PasskeyRowProps {
  readonly passkey: Passkey
  readonly nowMs: number
  readonly onAsk: (kind: 'rename' | 'remove', passkey: Passkey) => void
}

function PasskeyRow({ passkey, nowMs, onAsk }: PasskeyRowProps) {
  const { name, created_at, last_used_at } = passkey
  return (
    <li className="section-row">
      <div>
        <strong>{name}</strong>
        <p className="muted">{keeperOf(passkey)}</p>
        <p className="muted">
          Added {dayText(created_at)} ·{' '}
          {last_used_at === null ? 'Never used' : `Last used ${ageText(last_used_at, nowMs)}`}
        </p>
      </div>
      <div className="section-row-buttons">
        {(['rename', 'remove'] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            className={kind === 'remove' ? 'line-button line-button-danger' : 'line-button'}
            aria-label={`${kind === 'remove' ? 'Remove' : 'Rename'} ${name}`}
            onClick={() => onAsk(kind, passkey)}
          >
            {kind === 'remove' ? 'Remove' : 'Rename'}
          </button>
        ))}
      </div>
    </li>
  )
}

interface PasskeyListProps {
  readonly passkeys: readonly Passkey[]
  /** A newer list is on its way. */
  readonly isFetching: boolean
}

export function PasskeyList({ passkeys, isFetching }: PasskeyListProps) {
  const nowMs = useNow(MINUTE_MS)
  const dialog = useDialogInUrl(DIALOGS)
  const { name, show, close } = dialog
  const subject = useSubject(dialog, { data: passkeys, isFetching })
  return (
    <div className="card section-card">
      {passkeys.length === 0 ? (
        <p>
          You have no passkeys. A passkey signs you in with a fingerprint, a face or a PIN instead
          of a password, and cannot be phished.
        </p>
      ) : (
        <ul className="section-rows" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              nowMs={nowMs}
              onAsk={(kind, { id }) => show(kind, id)}
            />
          ))}
        </ul>
      )}
      {name === 'rename' && subject && <RenamePasskeyDialog passkey={subject} onClose={close} />}
      {name === 'remove' && subject && <RemovePasskeyDialog passkey={subject} onClose={close} />}
    </div>
  )
}
