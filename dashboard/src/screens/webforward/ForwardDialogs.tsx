/** The dialogs about web forwards. The URL says which is open, and about which forward. */
import { Suspense } from 'react'
import type { Domain } from '../../api/domains.ts'
import type { WebForward, WebForwardUsage } from '../../api/web-forwards.ts'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { preloadable } from '../../components/preloadable.ts'

const add = preloadable(() => import('./AddForwardDialog.tsx'))
const edit = preloadable(() => import('./EditForwardDialog.tsx'))
const remove = preloadable(() => import('./DeleteForwardDialog.tsx'))

interface ForwardDialogsProps {
  /** Undefined if no dialog is open. */
  readonly name: 'add' | 'edit' | 'delete' | undefined
  /** The forward that is edited or deleted; undefined until it is read. */
  readonly forward: WebForward | undefined
  /** The domains that a new forward can have. */
  readonly domains: readonly Pick<Domain, 'id' | 'fqdn'>[]
  readonly usage: WebForwardUsage
  readonly onClose: () => void
}

function OpenDialog({ name, forward, domains, usage, onClose }: ForwardDialogsProps) {
  if (name === 'add') return <add.Part domains={domains} usage={usage} onClose={onClose} />
  if (forward === undefined) return null
  if (name === 'delete') return <remove.Part forward={forward} onClose={onClose} />
  if (name !== 'edit') return null
  return <edit.Part key={forward.id} forward={forward} usage={usage} onClose={onClose} />
}

export function ForwardDialogs(props: ForwardDialogsProps) {
  return (
    <LoadBoundary key={props.name} showsIn="notice" onFailure={props.onClose}>
      <Suspense fallback={null}>
        <OpenDialog {...props} />
      </Suspense>
    </LoadBoundary>
  )
}
