/** The web forwards of the account: `#webforward`. Adding, editing and deleting have dialogs in the URL. */
import Button from '@mui/material/Button'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useLiveDomains } from '../../api/live/use-live.ts'
import { useSession } from '../../api/session.ts'
import { Loaded } from '../../components/Loaded.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { useDialogInUrl, useSubject } from '../../dialog-url.ts'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { hashOf } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import { BackToDashboard } from '../frame/BackToDashboard.tsx'
import { Explanations } from './Explanations.tsx'
import { type ForwardOverview, useForwardOverview } from './forward-overview.ts'
import { ForwardDialogs } from './ForwardDialogs.tsx'
import { ForwardTable } from './ForwardTable.tsx'
import { ForwardUpsell } from './ForwardUpsell.tsx'
import { UsageTiles } from './UsageTiles.tsx'
import '../../components/section.css'
import '../dashboard/home/home.css'
import './webforward.css'

/** A row that the pointer is over must not move. */
const areRowsHeld = () => document.querySelector('.forwards tbody:hover') !== null

const DIALOGS = ['add', 'edit', 'delete'] as const

interface ListProps {
  readonly overview: ForwardOverview
  /** Why no forward can be added; undefined if one can. */
  readonly reason: string | undefined
  readonly show: (name: (typeof DIALOGS)[number], id?: string) => void
}

function Empty({ reason }: Pick<ListProps, 'reason'>) {
  return (
    <p className="forwards-empty">
      {reason === undefined ? (
        'You have no web forwards. Add one to send the visitors of a domain to any web page.'
      ) : (
        <>
          You have no domains to forward. <a href={hashOf('dashboard')}>Add a domain</a> first.
        </>
      )}
    </p>
  )
}

function AddButton({ reason, show }: Pick<ListProps, 'reason' | 'show'>) {
  const add = () => show('add')
  usePageActions([
    {
      label: 'Add Web Forwarding',
      icon: 'add',
      shortcut: 'create',
      disabledReason: reason,
      run: add,
    },
  ])
  return (
    <Button
      variant="contained"
      startIcon={<Icon name="add" />}
      disabled={reason !== undefined}
      aria-describedby={reason === undefined ? undefined : 'add-forward-reason'}
      onClick={add}
    >
      Add Web Forwarding
    </Button>
  )
}

function ForwardList({ overview, reason, show }: ListProps) {
  const { forwards, domains, usage } = overview
  const isIncluded = usage.can_create_redirect
  return (
    <section className="card forwards-card" aria-labelledby="forwards-title">
      <div className="forwards-head">
        <h2 id="forwards-title">Your web forwards</h2>
        {isIncluded && <AddButton reason={reason} show={show} />}
      </div>
      {isIncluded && reason !== undefined && (
        <p id="add-forward-reason" className="forwards-reason">
          {reason}
        </p>
      )}
      {forwards.length === 0 ? (
        <Empty reason={reason} />
      ) : (
        <ForwardTable
          forwards={forwards}
          domains={domains}
          tasks={isIncluded ? ['edit', 'delete'] : ['delete']}
          onTask={(task, { id }) => show(task, id)}
        />
      )}
    </section>
  )
}

interface OverviewProps {
  readonly overview: ForwardOverview
  readonly isFetching: boolean
}

/** Why no forward can be added. */
function reasonIn({ domains }: ForwardOverview, freeCount: number): string | undefined {
  if (freeCount > 0) return undefined
  return domains.length === 0 ? 'You have no domain yet.' : 'Every domain already has a forward.'
}

function Overview({ overview, isFetching }: OverviewProps) {
  const { forwards, domains, usage } = overview
  const dialog = useDialogInUrl(DIALOGS)
  const subject = useSubject(dialog, { data: forwards, isFetching })
  const forwarded = new Set(forwards.map(({ domain_id }) => domain_id))
  const free = domains.filter(({ id }) => !forwarded.has(id))
  const reason = reasonIn(overview, free.length)
  const isIncluded = usage.can_create_redirect
  const isAllowed =
    dialog.name === 'delete' || (isIncluded && (dialog.name !== 'add' || free.length > 0))
  return (
    <>
      {isIncluded ? (
        <UsageTiles usage={usage} />
      ) : (
        <ForwardUpsell hasForwards={forwards.length > 0} />
      )}
      {(isIncluded || forwards.length > 0) && (
        <ForwardList overview={overview} reason={reason} show={dialog.show} />
      )}
      <Explanations />
      <ForwardDialogs
        name={isAllowed ? dialog.name : undefined}
        forward={subject}
        domains={free}
        usage={usage}
        onClose={dialog.close}
      />
    </>
  )
}

export default function WebForwardScreen() {
  const { user } = useSession()
  const overview = useForwardOverview()
  useLiveDomains(areRowsHeld)
  if (user === undefined) return null
  return (
    <>
      <AppHeader screen="webforward" />
      <main tabIndex={-1} className="page">
        <p>
          <BackToDashboard />
        </p>
        <ScreenTitle title="Web Forwarding" />
        <p>A web forward leads the visitors of a domain to another URL.</p>
        <Loaded query={overview} failure="Failed to load data">
          {(data) => <Overview overview={data} isFetching={overview.isFetching} />}
        </Loaded>
      </main>
      <SiteFooter />
    </>
  )
}
