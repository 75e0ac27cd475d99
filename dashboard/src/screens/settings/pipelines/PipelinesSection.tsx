/** Trusted pipelines: they get an API key for 15 minutes without a stored secret. */
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { ApiProblem } from '../../../api/problem.ts'
import { trustPoliciesQuery, type TrustPolicy } from '../../../api/trust-policies.ts'
import { go, hashOf } from '../../../routes.ts'
import { useNow } from '../../../components/use-now.ts'
import { PlanUpsell } from '../api-keys/PlanUpsell.tsx'
import { Loaded } from '../Loaded.tsx'
import type { SectionProps } from '../sections.ts'
import { CreatePipeline } from './CreatePipeline.tsx'
import { PipelineItem, type PipelineTask } from './PipelineItem.tsx'
import { EMPTY_POLICY } from './policy-draft.ts'
import '../api-keys/api-keys.css'

const WorkflowDialog = lazy(() => import('./WorkflowDialog.tsx'))
const DeletePipelineDialog = lazy(() => import('./DeletePipelineDialog.tsx'))

const TICK_MS = 30_000
const here = (parameters: Readonly<Record<string, string>> = {}) =>
  hashOf('settings', parameters, 'pipelines')

interface PipelineListProps {
  readonly policies: readonly TrustPolicy[]
  readonly onTask: (task: PipelineTask, policy: TrustPolicy) => void
}

function PipelineList({ policies, onTask }: PipelineListProps) {
  const nowMs = useNow(TICK_MS)
  if (policies.length === 0) {
    return (
      <div className="card credentials-empty">
        <p>You trust no pipelines. Trust one, and it needs no stored key.</p>
      </div>
    )
  }
  return (
    <ul className="card credentials" aria-label="Trusted pipelines">
      {policies.map((policy) => (
        <PipelineItem key={policy.id} policy={policy} nowMs={nowMs} onTask={onTask} />
      ))}
    </ul>
  )
}

const isDenied = (error: Error | null): boolean =>
  error instanceof ApiProblem && error.code === 'plan-required'

/** @param props.query `open=new` shows the panel that creates a policy */
export default function PipelinesSection({ query }: SectionProps) {
  const policies = useQuery(trustPoliciesQuery)
  const [draft, setDraft] = useState(EMPTY_POLICY)
  const [open, setOpen] = useState<{ task: PipelineTask; policy: TrustPolicy }>()
  const top = useRef<HTMLParagraphElement>(null)
  const isCreating = new URLSearchParams(query).get('open') === 'new'
  const close = () => go(here(), { replace: true })

  function closeDialog(): void {
    setOpen(undefined)
    // The button that opened the dialog can have disappeared.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) top.current?.focus()
    })
  }
  if (isDenied(policies.error)) {
    return (
      <PlanUpsell ability="api_keys" what="Trusted pipelines">
        a pipeline at GitHub or GitLab can prove its identity and get an API key for 15 minutes. You
        store no secret there.
      </PlanUpsell>
    )
  }
  return (
    <>
      <div className="section-head">
        <p ref={top} tabIndex={-1}>
          A trusted pipeline proves its identity with a token of GitHub or GitLab, and gets an API
          key that works for 15 minutes. You store no secret there, so none can leak.
        </p>
        {!isCreating && (
          <Button variant="contained" onClick={() => go(here({ open: 'new' }))}>
            Trust a Pipeline
          </Button>
        )}
      </div>
      {isCreating && (
        <CreatePipeline
          draft={draft}
          onDraft={setDraft}
          onClose={close}
          onCreated={(policy) => {
            setDraft(EMPTY_POLICY)
            close()
            setOpen({ task: 'workflow', policy })
          }}
        />
      )}
      <Loaded query={policies}>
        {(list) => (
          <PipelineList policies={list} onTask={(task, policy) => setOpen({ task, policy })} />
        )}
      </Loaded>
      <Suspense fallback={null}>
        {open?.task === 'workflow' && <WorkflowDialog policy={open.policy} onClose={closeDialog} />}
        {open?.task === 'delete' && (
          <DeletePipelineDialog
            policy={open.policy}
            onClose={closeDialog}
            onDeleted={closeDialog}
          />
        )}
      </Suspense>
    </>
  )
}
