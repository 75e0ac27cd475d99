/** The dialogs about the domain of the page. The URL says which is open. */
import { Suspense } from 'react'
import type { Domain } from '../../api/domains.ts'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { preloadable } from '../../components/preloadable.ts'
import type { DialogInUrl } from '../../dialog-url.ts'
import { go, hashOf } from '../../routes.ts'

/** The tab of the forward has the dialogs about it. */
export const FORWARD_DIALOGS = ['add-forward', 'edit-forward', 'delete-forward'] as const

/** The tab of the monitor has the dialogs about it. */
const MONITOR_DIALOGS = [
  'monitor-settings',
  'add-maintenance',
  'delete-maintenance',
  'uptime',
] as const

export const DOMAIN_DIALOGS = [
  'update',
  'wildcard',
  'how-to',
  'delete',
  ...FORWARD_DIALOGS,
  ...MONITOR_DIALOGS,
] as const
export type DomainDialogName = (typeof DOMAIN_DIALOGS)[number]

const update = preloadable(() => import('../dashboard/UpdateAddressDialog.tsx'))
const howTo = preloadable(() => import('../dashboard/how-to-update/HowToUpdateDialog.tsx'))
const wildcard = preloadable(() => import('../dashboard/wildcard/WildcardDialog.tsx'))
const remove = preloadable(() => import('../dashboard/DeleteDomainDialog.tsx'))

interface DomainDialogsProps {
  readonly domain: Domain
  readonly dialog: DialogInUrl<DomainDialogName>
}

function OpenDialog({ domain, dialog: { name, show, close } }: DomainDialogsProps) {
  if (name === 'how-to') return <howTo.Part domain={domain} onClose={close} />
  if (name === 'update') return <update.Part domain={domain} onClose={close} />
  if (name === 'wildcard') {
    return <wildcard.Part domain={domain} onClose={close} onUpdate={() => show('update')} />
  }
  if (name === 'delete') {
    const leave = () => go(hashOf('dashboard'), { replace: true })
    return <remove.Part domain={domain} onClose={close} onDeleted={leave} />
  }
  return null
}

export function DomainDialogs({ domain, dialog }: DomainDialogsProps) {
  return (
    <LoadBoundary key={dialog.name} showsIn="notice" onFailure={dialog.close}>
      <Suspense fallback={null}>
        <OpenDialog domain={domain} dialog={dialog} />
      </Suspense>
    </LoadBoundary>
  )
}
