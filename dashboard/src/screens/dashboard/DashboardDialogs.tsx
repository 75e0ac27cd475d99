/** The dialogs of the dashboard. The URL says which is open, and for which domain. */
import { usePainted } from '@homing/theme/parts/after-paint.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { domainQuery } from '../../api/domains.ts'
import { forgetWish, wishedDomain } from '../../api/wish.ts'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { preloadable } from '../../components/preloadable.ts'
import type { DialogInUrl } from '../../dialog-url.ts'
import { placeOf, useHash } from '../../routes.ts'
import type { RowDialog } from './table/row-menu-items.ts'

export const DIALOGS = [
  'add',
  'import',
  'uptime',
  'update',
  'how-to',
  'delete',
  'wildcard',
] as const
type DialogName = (typeof DIALOGS)[number]

const add = preloadable(() => import('./add-domain/AddDomainDialog.tsx'))
const imports = preloadable(() => import('./import/ImportDialog.tsx'))
const update = preloadable(() => import('./UpdateAddressDialog.tsx'))
const howTo = preloadable(() => import('./how-to-update/HowToUpdateDialog.tsx'))
const remove = preloadable(() => import('./DeleteDomainDialog.tsx'))
const wildcard = preloadable(() => import('./wildcard/WildcardDialog.tsx'))
const formula = preloadable(() => import('../monitor/FormulaDialog.tsx'))
const unavailable = preloadable(() => import('./UnavailableDialog.tsx'))

/** The delay between the first render of the table and the download of the dialogs. */
const IDLE_MS = 1_000

/** Loads the dialogs after the first render, so that they open without a delay later. */
export function useDialogsWhenIdle(isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return undefined
    const timer = setTimeout(() => {
      // If a download fails, opening the dialog says so.
      const parts = [add, update, howTo, remove, wildcard, unavailable]
      Promise.all(parts.map(({ preload }) => preload())).catch(() => undefined)
    }, IDLE_MS)
    return () => clearTimeout(timer)
  }, [isReady])
}

interface DomainDialogProps {
  readonly name: RowDialog
  readonly id: string
  readonly onClose: () => void
  readonly onUpdate: () => void
}

/** A dialog about one domain, which is read first if the table did not show it. */
function DomainDialog({ name, id, onClose, onUpdate }: DomainDialogProps) {
  const { data: domain, error, isFetching, refetch } = useQuery(domainQuery(id))
  if (domain === undefined) {
    if (error === null) return null
    const retry = () => void refetch()
    return <unavailable.Part error={error} isBusy={isFetching} onRetry={retry} onClose={onClose} />
  }
  if (name === 'how-to') return <howTo.Part domain={domain} onClose={onClose} />
  if (name === 'update') return <update.Part domain={domain} onClose={onClose} />
  if (name === 'wildcard') {
    return <wildcard.Part domain={domain} onClose={onClose} onUpdate={onUpdate} />
  }
  return (
    <remove.Part
      domain={domain}
      onClose={onClose}
      onDeleted={() => {
        onClose()
        // The button that opened the dialog disappears with its row.
        requestAnimationFrame(() => document.getElementById('domains-title')?.focus())
      }}
    />
  )
}

/** A user who looked up a domain before they signed up goes on with it. */
export function useWishedDomain(show: (name: 'add') => void): void {
  // Right after the sign-in, the URL still names the sign-in screen.
  const isHere = placeOf(useHash())?.screen === 'dashboard'
  const isShown = useRef(false)
  useEffect(() => {
    if (!isHere || isShown.current) return
    isShown.current = true
    if (wishedDomain() !== undefined) show('add')
  }, [isHere, show])
}

/** After a domain was added, its owner sets up the router. */
function AddDialog({ show, close }: Pick<DialogInUrl<DialogName>, 'show' | 'close'>) {
  const [wish] = useState(wishedDomain)
  const queries = useQueryClient()
  return (
    <add.Part
      wish={wish}
      onClose={() => {
        forgetWish()
        close()
      }}
      onAdded={(domain) => {
        forgetWish()
        queries.setQueryData(domainQuery(domain.id).queryKey, domain)
        show('how-to', domain.id)
      }}
    />
  )
}

function OpenDialog({ name, id, show, close }: DialogInUrl<DialogName>) {
  if (name === 'add') return <AddDialog show={show} close={close} />
  if (name === 'import') return <imports.Part onClose={close} />
  if (name === 'uptime') return <formula.Part onClose={close} />
  if (name === undefined || id === undefined) return null
  const onUpdate = () => show('update', id)
  return (
    <DomainDialog key={`${name} ${id}`} name={name} id={id} onClose={close} onUpdate={onUpdate} />
  )
}

export function DashboardDialogs({ dialog }: { readonly dialog: DialogInUrl<DialogName> }) {
  const isOpen = dialog.name !== undefined
  // The button is shown as pressed first. The dialog closes at once.
  if (!usePainted(isOpen)) return null
  return (
    <LoadBoundary key={dialog.name} showsIn="notice" onFailure={dialog.close}>
      <Suspense fallback={null}>
        <OpenDialog {...dialog} />
      </Suspense>
    </LoadBoundary>
  )
}
