/** Trusted pipelines: they get an API key for 15 minutes without a stored secret. */
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { ApiProblem } from '../../../api/problem.ts'
import { trustPoliciesQuery, type TrustPolicy } from '../../../api/trust-policies.ts'
import { LoadBoundary } from '../../../components/LoadBoundary.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useDialogInUrl, useSubject } from '../../../dialog-url.ts'
import { usePageActions } from '../../../keyboard/page-actions.ts'
import { PlanUpsell } from '../api-keys/PlanUpsell.tsx'
import { Loaded } from '../../../components/Loaded.tsx'
import { CreatePipeline } from './CreatePipeline.tsx'
import { PipelineItem, type PipelineTask } from './PipelineItem.tsx'
import { EMPTY_POLICY } from './policy-draft.ts'
import '../api-keys/api-keys.css'

const WorkflowDialog = lazy(() => import('./WorkflowDialog.tsx'))
const DeletePipelineDialog = lazy(() => import('./DeletePipelineDialog.tsx'))

const TICK_MS = 30_000
const DIALOGS = ['new', 'workflow', 'delete'] as const

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

export default function PipelinesSection() {
  const policies = useQuery(trustPoliciesQuery)
  const [draft, setDraft] = useState(EMPTY_POLICY)
  const dialog = useDialogInUrl(DIALOGS)
  const subject = useSubject(dialog, policies)
  const { name: task, show, close } = dialog
  const isCreating = task === 'new'
  const create = () => show('new')
  const denied = isDenied(policies.error)
  usePageActions(
    denied ? [] : [{ label: 'Trust a Pipeline', icon: 'add', shortcut: 'create', run: create }],
  )

  if (denied) {
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
        <p>
          A trusted pipeline proves its identity with a token of GitHub or GitLab, and gets an API
          key that works for 15 minutes. You store no secret there, so none can leak.
        </p>
        {!isCreating && (
          <Button variant="contained" onClick={create}>
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
            show('workflow', policy.id)
          }}
        />
      )}
      <Loaded query={policies}>
        {(list) => <PipelineList policies={list} onTask={(wanted, { id }) => show(wanted, id)} />}
      </Loaded>
      <LoadBoundary key={task} showsIn="notice" onFailure={close}>
        <Suspense fallback={null}>
          {task === 'workflow' && subject && <WorkflowDialog policy={subject} onClose={close} />}
          {task === 'delete' && subject && (
            <DeletePipelineDialog policy={subject} onClose={close} onDeleted={close} />
          )}
        </Suspense>
      </LoadBoundary>
    </>
  )
}
