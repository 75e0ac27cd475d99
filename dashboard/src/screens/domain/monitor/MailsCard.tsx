/** The mails about the monitor: which are sent, a test, and what was sent. */
import { timeText } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isDeclined } from '../../../api/confirmation.ts'
import {
  type Monitor,
  type MonitorNotification,
  monitorMailsQuery,
  sendTestMail,
} from '../../../api/monitors.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { usePageActions } from '../../../keyboard/page-actions.ts'

const MESSAGES: Readonly<Record<MonitorNotification['message'], string>> = {
  down: 'Down',
  up: 'Up again',
  certificate: 'Certificate expires',
  test: 'Test',
}

const OUTCOMES: Readonly<Record<MonitorNotification['outcome'], string>> = {
  waiting: 'Waiting to be sent',
  sent: 'Sent',
  merged: 'Sent in one mail with others',
  skipped: 'Not sent: the monitor recovered, or another mail went out a short time before',
  failed: 'Not sent: the mail could not be delivered',
}

function Mail({ mail }: { readonly mail: MonitorNotification }) {
  const { message, outcome, recipient, created_at, sent_at } = mail
  return (
    <li className="section-row">
      <div>
        <strong>{MESSAGES[message]}</strong>
        <p>
          {OUTCOMES[outcome]}
          {sent_at !== null && `, ${timeText(sent_at)}`}
        </p>
        <p className="muted">
          {recipient !== null && `${recipient}, `}
          <time dateTime={created_at}>{timeText(created_at)}</time>
        </p>
      </div>
    </li>
  )
}

/** When mail is sent, by the settings. */
function preferenceText({ notifies_down, notifies_up, kind, certificate_warning_days }: Monitor) {
  const events = [
    ...(notifies_down ? ['when it is down'] : []),
    ...(notifies_up ? ['when it is up again'] : []),
    ...(kind === 'https' && certificate_warning_days !== null
      ? [`${certificate_warning_days} days before its certificate expires`]
      : []),
  ]
  if (events.length === 0)
    return 'No mail is sent about this monitor. You can change this in its settings.'
  return `Homing sends you mail ${new Intl.ListFormat('en-GB').format(events)}.`
}

function TestButton({ domainId }: { readonly domainId: string }) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => sendTestMail(domainId),
    onSuccess() {
      notify({ kind: 'success', text: 'A test mail is on its way to you.' })
      void queries.invalidateQueries({ queryKey: monitorMailsQuery(domainId).queryKey })
    },
  })
  const send = () => mutate()
  usePageActions([{ label: 'Send Test Mail', icon: 'check', run: send }])
  return (
    <>
      {error && !isDeclined(error) && (
        <Failure error={error} otherwise="The test mail could not be sent." />
      )}
      <button
        type="button"
        className="line-button fit"
        aria-disabled={isPending}
        onClick={() => isPending || send()}
      >
        <Icon name="check" size={16} />
        {isPending ? 'Sending...' : 'Send Test Mail'}
      </button>
    </>
  )
}

interface MailsCardProps {
  readonly monitor: Monitor
  /** Whether the plan includes monitors. */
  readonly canSend: boolean
}

export function MailsCard({ monitor, canSend }: MailsCardProps) {
  const query = useQuery(monitorMailsQuery(monitor.domain_id))
  return (
    <section className="card section-card" aria-labelledby="mails-title">
      <h2 id="mails-title">Mails</h2>
      <p>{preferenceText(monitor)}</p>
      {canSend && <TestButton domainId={monitor.domain_id} />}
      <Loaded query={query}>
        {(mails) =>
          mails.length === 0 ? (
            <p className="muted">No mail was sent yet.</p>
          ) : (
            <ul className="section-rows monitor-mails" aria-labelledby="mails-title">
              {mails.map((mail) => (
                <Mail key={mail.id} mail={mail} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
