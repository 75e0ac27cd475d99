/** The API keys of the account: the list, and the panels and dialogs that change it. */
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { type ApiKey, apiKeysQuery, type SecretKey } from '../../../api/api-keys.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { LoadBoundary } from '../../../components/LoadBoundary.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useDialogInUrl, useSubject } from '../../../dialog-url.ts'
import { usePageActions } from '../../../keyboard/page-actions.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { CreateKey } from './CreateKey.tsx'
import { EditKey } from './EditKey.tsx'
import { EMPTY_KEY } from './key-draft.ts'
import { KeyItem, type KeyTask } from './KeyItem.tsx'
import { PlanUpsell } from './PlanUpsell.tsx'
// Not loaded later: if that failed, the secret would be lost.
import { SecretDialog } from './SecretDialog.tsx'
import './api-keys.css'

const RotateKeyDialog = lazy(() => import('./RotateKeyDialog.tsx'))
const TestKeyDialog = lazy(() => import('./TestKeyDialog.tsx'))
const DeleteKeyDialog = lazy(() => import('./DeleteKeyDialog.tsx'))

const TICK_MS = 30_000

/** Creating and editing have a panel, the others a dialog. */
const DIALOGS = ['new', 'edit', 'rotate', 'test', 'delete'] as const

interface DialogsProps {
  readonly task: (typeof DIALOGS)[number] | undefined
  readonly apiKey: ApiKey | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
  readonly onSecret: (secret: SecretKey) => void
}

function Dialogs({ task, apiKey, onClose, onDeleted, onSecret }: DialogsProps) {
  if (apiKey === undefined) return null
  if (task === 'test') return <TestKeyDialog apiKey={apiKey} onClose={onClose} />
  if (task === 'rotate') {
    return <RotateKeyDialog apiKey={apiKey} onClose={onClose} onRotated={onSecret} />
  }
  if (task !== 'delete') return null
  return <DeleteKeyDialog apiKey={apiKey} onClose={onClose} onDeleted={onDeleted} />
}

interface KeyListProps {
  readonly keys: readonly ApiKey[]
  readonly onTask: (task: KeyTask, apiKey: ApiKey) => void
}

function KeyList({ keys, onTask }: KeyListProps) {
  const nowMs = useNow(TICK_MS)
  if (keys.length === 0) {
    return (
      <div className="card credentials-empty">
        <p>You have no API keys. A program, a script or a pipeline uses one to manage domains.</p>
      </div>
    )
  }
  return (
    <ul className="card credentials" aria-label="API keys">
      {keys.map((apiKey) => (
        <KeyItem key={apiKey.id} apiKey={apiKey} nowMs={nowMs} onTask={onTask} />
      ))}
    </ul>
  )
}

const isDenied = (error: Error | null): boolean =>
  error instanceof ApiProblem && error.code === 'plan-required'

export default function ApiKeysSection() {
  const keys = useQuery(apiKeysQuery)
  const [draft, setDraft] = useState(EMPTY_KEY)
  const dialog = useDialogInUrl(DIALOGS)
  const subject = useSubject(dialog, keys)
  const [secret, setSecret] = useState<SecretKey>()
  const top = useRef<HTMLParagraphElement>(null)
  const { name: task, close } = dialog
  const isCreating = task === 'new'
  const create = () => dialog.show('new')
  const denied = isDenied(keys.error)
  usePageActions(
    denied ? [] : [{ label: 'Create API Key', icon: 'add', shortcut: 'create', run: create }],
  )

  /** The button that was pressed can disappear. The focus then moves to the start of the section. */
  const focusTop = () => requestAnimationFrame(() => top.current?.focus())

  function show(next: SecretKey): void {
    setSecret(next)
    setDraft(EMPTY_KEY)
    close()
  }
  if (denied) {
    return (
      <PlanUpsell ability="api_keys" what="API keys">
        programs can manage your domains through the API, with keys that you limit to domains,
        actions and networks.
      </PlanUpsell>
    )
  }
  return (
    <>
      <div className="section-head">
        <p ref={top} tabIndex={-1}>
          An API key lets a program manage your domains. It gives no access to your account.
        </p>
        {!isCreating && (
          <Button variant="contained" onClick={create}>
            Create API Key
          </Button>
        )}
      </div>
      {isCreating && (
        <CreateKey draft={draft} onDraft={setDraft} onCreated={show} onClose={close} />
      )}
      {task === 'edit' && subject && <EditKey key={subject.id} apiKey={subject} onClose={close} />}
      <Loaded query={keys}>
        {(list) => <KeyList keys={list} onTask={(wanted, { id }) => dialog.show(wanted, id)} />}
      </Loaded>
      <LoadBoundary key={task} showsIn="notice" onFailure={close}>
        <Suspense fallback={null}>
          <Dialogs
            task={task}
            apiKey={subject}
            onClose={close}
            onDeleted={() => {
              close()
              focusTop()
            }}
            onSecret={show}
          />
        </Suspense>
      </LoadBoundary>
      {secret && (
        <SecretDialog
          {...secret}
          onSaved={() => {
            setSecret(undefined)
            focusTop()
          }}
        />
      )}
    </>
  )
}
