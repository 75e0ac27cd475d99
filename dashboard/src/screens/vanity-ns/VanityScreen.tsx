/**
 * The vanity name servers of the account, `#vanity-nameservers`: the set-up in three steps, which goes on where the
 * service says, and the name servers once they work. Accounts whose plan does not include them get the dashboard.
 */
import { Message } from '@homing/theme/parts/Message.tsx'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { meQuery } from '../../api/account.ts'
import { type VanityStatus, vanityQuery } from '../../api/own-zones.ts'
import { useSession } from '../../api/session.ts'
import { Loaded } from '../../components/Loaded.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { useDialogInUrl } from '../../dialog-url.ts'
import { go, hashOf } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import { BackToDashboard } from '../frame/BackToDashboard.tsx'
import { useVerifyVanity } from '../own-zones/use-verify.ts'
import { RemoveDialog } from './RemoveDialog.tsx'
import { SetUpSteps } from './SetUpSteps.tsx'
import { WorkingServers } from './WorkingServers.tsx'
import '../../components/section.css'
import '../domain/domain.css'
import '../own-zones/own-zones.css'

const DIALOGS = ['remove'] as const

function NotAvailable({ status: { message } }: { readonly status: VanityStatus }) {
  return (
    <Message
      tone="info"
      action={
        <a className="section-link" href="/pricing">
          Compare plans
        </a>
      }
    >
      <p>{message ?? 'This feature requires an Elite subscription.'}</p>
    </Message>
  )
}

function Content({ status }: { readonly status: VanityStatus }) {
  const [isJustSetUp, setJustSetUp] = useState(false)
  // Its result stays while the steps give way to the name servers that work.
  const verify = useVerifyVanity()
  const dialog = useDialogInUrl(DIALOGS)
  const { available, zone } = status
  const remove = () => dialog.show('remove')
  if (zone === null && !available) return <NotAvailable status={status} />
  return (
    <>
      {!available && <NotAvailable status={status} />}
      {isJustSetUp && zone !== null && !status.verified && (
        <Message tone="success">
          <p>Setup complete! Now add the glue records at your registrar.</p>
        </Message>
      )}
      {zone === null || zone.state === 'pending' ? (
        <SetUpSteps
          zone={zone}
          status={status}
          verify={verify}
          onSetUp={() => setJustSetUp(true)}
          onRemove={remove}
        />
      ) : (
        <WorkingServers zone={zone} status={status} verify={verify} onRemove={remove} />
      )}
      {zone !== null && dialog.name === 'remove' && status.zones_count === 0 && (
        <RemoveDialog zone={zone} onClose={dialog.close} />
      )}
    </>
  )
}

/** Whether the screen is for this account; undefined while the plan is not known. */
function useIsIncluded(): boolean | undefined {
  const { data: me } = useQuery(meQuery)
  return me?.limits.abilities.includes('vanity_ns')
}

export default function VanityScreen() {
  const { user } = useSession()
  const isIncluded = useIsIncluded()
  const status = useQuery({ ...vanityQuery, enabled: isIncluded !== false })
  useEffect(() => {
    if (isIncluded === false) go(hashOf('dashboard'), { replace: true })
  }, [isIncluded])
  if (user === undefined || isIncluded === false) return null
  return (
    <>
      <AppHeader screen="vanity-nameservers" />
      <main tabIndex={-1} className="page domain-page">
        <p>
          <BackToDashboard />
        </p>
        <ScreenTitle title="Professional Nameserver Branding" />
        <p>
          Vanity name servers are the name servers of Homing under names of your own domain, such as
          ns1.example.com. Your{' '}
          <a className="own-link" href={hashOf('zones')}>
            own zones
          </a>{' '}
          can use them.
        </p>
        <Loaded query={status} failure="Failed to load data">
          {(data) => <Content status={data} />}
        </Loaded>
      </main>
      <SiteFooter />
    </>
  )
}
