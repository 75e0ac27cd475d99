/** The panel DNS Analytics, for plans that include it. It is below the list, so its code loads after it. */
import { Suspense } from 'react'
import type { Me } from '../../../api/account.ts'
import { LoadBoundary } from '../../../components/LoadBoundary.tsx'
import { preloadable } from '../../../components/preloadable.ts'
import { SectionSkeleton } from '../../../components/SectionSkeleton.tsx'

const panel = preloadable(() => import('../../dns-queries/QueriesPanel.tsx'))

export function QueriesPart({ me }: { readonly me: Me | undefined }) {
  if (me?.limits.abilities.includes('analytics') !== true) return null
  return (
    <LoadBoundary>
      <Suspense fallback={<SectionSkeleton />}>
        <panel.Part canExport={me.limits.abilities.includes('data_export')} />
      </Suspense>
    </LoadBoundary>
  )
}
