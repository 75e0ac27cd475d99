import { dayText } from '@homing/theme/formats'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type Me, meQuery } from '../../../api/account.ts'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useDialogInUrl } from '../../../dialog-url.ts'
import { hashOf } from '../../../routes.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'

const DAY_MS = 86_400_000
const GRACE_DAYS = 14

const DIALOGS = ['delete-account'] as const

function domainsText(count: number): string {
  if (count === 0) return 'Your account is removed.'
  const [domains, stop] = count === 1 ? ['domain', 'stops'] : ['domains', 'stop']
  return `Your account is removed, and your ${count} ${domains} ${stop} resolving.`
}

/** What ends, and when. */
function Effects({ me }: { readonly me: Me }) {
  const due = dayText(new Date(Date.now() + GRACE_DAYS * DAY_MS))
  return (
    <>
      <p>If you delete your account today:</p>
      <ul className="settings-effects">
        <li>
          <strong>Now:</strong> all your sessions end. DNS still serves your domains, and API keys
          and update tokens still work.
        </li>
        <li>
          <strong>Until {due}:</strong> you can change your mind. Signing in keeps the account.
        </li>
        <li>
          <strong>On {due}:</strong> {domainsText(me.limits.domain_count)} All API keys, update
          tokens, trusted pipelines, passkeys and the history of the account are deleted. This
          cannot be undone. Nobody can register your domains for another 30 days.
        </li>
      </ul>
      <p>
        You may want to <a href={hashOf('settings', {}, 'export')}>export your data</a> first.
      </p>
    </>
  )
}

/** The deletion of the account. */
export default function DangerSection() {
  const query = useQuery(meQuery)
  const { name, show, close } = useDialogInUrl(DIALOGS)
  const titleId = useId()
  return (
    <Loaded query={query}>
      {(me) => (
        <section className="card section-card settings-danger" aria-labelledby={titleId}>
          <h2 id={titleId}>Delete Account</h2>
          {me.account_type === 'admin' ? (
            <Message tone="info">
              <p>
                The account of an administrator cannot be deleted. Another administrator must remove
                the administrator role first.
              </p>
            </Message>
          ) : (
            <>
              <Effects me={me} />
              <Button
                variant="contained"
                color="error"
                className="fit"
                onClick={() => show('delete-account')}
              >
                Delete Account
              </Button>
            </>
          )}
          {name !== undefined && me.account_type !== 'admin' && (
            <DeleteAccountDialog me={me} onClose={close} />
          )}
        </section>
      )}
    </Loaded>
  )
}
