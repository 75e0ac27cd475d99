/** The API keys of the account: the list, and the panels and dialogs that change it. */
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { type ApiKey, apiKeysQuery, type SecretKey } from '../../../api/api-keys.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { go, hashOf } from '../../../routes.ts'
import { useNow } from '../../../components/use-now.ts'
import { Loaded } from '../Loaded.tsx'
import type { SectionProps } from '../sections.ts'
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
const here = (parameters: Readonly<Record<string, string>> = {}) =>
  hashOf('settings', parameters, 'api-keys')

/** Tasks with a dialog. A key is edited in a panel, which has a URL. */
interface OpenTask {
  readonly task: Exclude<KeyTask, 'edit'>
  readonly apiKey: ApiKey
}

interface DialogsProps {
  readonly open: OpenTask | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
  readonly onSecret: (secret: SecretKey) => void
}

function Dialogs({ open, onClose, onDeleted, onSecret }: DialogsProps) {
  if (open === undefined) return null
  const { task, apiKey } = open
  if (task === 'test') return <TestKeyDialog apiKey={apiKey} onClose={onClose} />
  if (task === 'rotate') {
    return <RotateKeyDialog apiKey={apiKey} onClose={onClose} onRotated={onSecret} />
  }
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

/** @param props.query `open=new` shows the panel that creates a key, `open=3` the panel that edits the key with this id */
export default function ApiKeysSection({ query }: SectionProps) {
  const keys = useQuery(apiKeysQuery)
  const [draft, setDraft] = useState(EMPTY_KEY)
  const [open, setOpen] = useState<OpenTask>()
  const [secret, setSecret] = useState<SecretKey>()
  const top = useRef<HTMLParagraphElement>(null)
  const panel = new URLSearchParams(query).get('open')
  const isCreating = panel === 'new'
  const edited = keys.data?.find(({ id }) => id === panel)

  /** The button that was pressed can disappear. The focus then moves to the start of the section. */
  const focusTop = () => requestAnimationFrame(() => top.current?.focus())
  const close = () => go(here(), { replace: true })

  function begin(task: KeyTask, apiKey: ApiKey): void {
    if (task === 'edit') go(here({ open: apiKey.id }))
    else setOpen({ task, apiKey })
  }

  function show(next: SecretKey): void {
    setSecret(next)
    setOpen(undefined)
    setDraft(EMPTY_KEY)
    close()
  }
  if (isDenied(keys.error)) {
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
          <Button variant="contained" onClick={() => go(here({ open: 'new' }))}>
            Create API Key
          </Button>
        )}
      </div>
      {isCreating && (
        <CreateKey draft={draft} onDraft={setDraft} onCreated={show} onClose={close} />
      )}
      {edited && <EditKey key={edited.id} apiKey={edited} onClose={close} />}
      <Loaded query={keys}>{(list) => <KeyList keys={list} onTask={begin} />}</Loaded>
      <Suspense fallback={null}>
        <Dialogs
          open={open}
          onClose={() => setOpen(undefined)}
          onDeleted={() => {
            setOpen(undefined)
            focusTop()
          }}
          onSecret={show}
        />
      </Suspense>
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
