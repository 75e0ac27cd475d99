/** The URL that a device calls to say that it runs. It is shown once. */
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isDeclined } from '../../../api/confirmation.ts'
import { createHeartbeatUrl, type Monitor, MONITORS_KEY } from '../../../api/monitors.ts'
import { CopyLine } from '../../dashboard/how-to-update/CopyLine.tsx'
import { LeaveGuard } from '../../frame/LeaveGuard.tsx'

const QUESTION = {
  title: 'Leave without the URL?',
  text: 'The heartbeat URL is shown only now. If you did not save it, create a new one later.',
  submit: 'Leave',
}

function NewUrl({ url, onSaved }: { readonly url: string; readonly onSaved: () => void }) {
  return (
    <>
      <Message tone="warn">
        <p>Copy the URL now. You won’t be able to see it again.</p>
      </Message>
      <dl>
        <CopyLine label="Heartbeat URL" text={url} />
      </dl>
      <p className="muted">A line for cron:</p>
      <dl>
        <CopyLine label="cron" text={`*/5 * * * * curl -fsS -o /dev/null ${url}`} />
      </dl>
      <button type="button" className="line-button fit" onClick={onSaved}>
        I've saved this URL
      </button>
      <LeaveGuard {...QUESTION} />
    </>
  )
}

export function HeartbeatCard({ monitor }: { readonly monitor: Monitor }) {
  const { domain_id, has_heartbeat_token: hasUrl } = monitor
  const queries = useQueryClient()
  const [url, setUrl] = useState<string>()
  const title = useRef<HTMLHeadingElement>(null)
  const wasShown = useRef(false)
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => createHeartbeatUrl(domain_id),
    onSuccess(created) {
      setUrl(created)
      void queries.invalidateQueries({ queryKey: [MONITORS_KEY, domain_id] })
    },
  })
  // The pressed button disappears.
  useEffect(() => {
    const isShown = url !== undefined
    if (isShown !== wasShown.current) title.current?.focus()
    wasShown.current = isShown
  }, [url])
  return (
    <section className="card section-card" aria-labelledby="heartbeat-title">
      <h2 id="heartbeat-title" ref={title} tabIndex={-1}>
        Heartbeat URL
      </h2>
      {error && !isDeclined(error) && <Failure error={error} />}
      {url === undefined ? (
        <>
          <p>
            {hasUrl
              ? 'The domain has a heartbeat URL, which was shown when you created it. A new one replaces it: the former URL stops working at once.'
              : 'Your device calls this URL regularly. If a call is overdue, the monitor is down.'}
          </p>
          <button
            type="button"
            className="line-button fit"
            aria-disabled={isPending}
            onClick={() => isPending || mutate()}
          >
            {hasUrl ? 'Replace Heartbeat URL' : 'Create Heartbeat URL'}
          </button>
        </>
      ) : (
        <NewUrl url={url} onSaved={() => setUrl(undefined)} />
      )}
    </section>
  )
}
