import { KEY_ACTIONS, type KeyAction, type RecordType } from '@homing/openapi/vocabulary'
import { useState } from 'react'
import { type ApiKey, type KeyTest, type KeyUse, testApiKey } from '../../../api/api-keys.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { firstDomain } from './secret-formats.ts'

const ACTIONS = KEY_ACTIONS.map((action) => [action, action] as const)
const TYPES: readonly (readonly [RecordType | '', string])[] = [
  ['', 'Any'],
  ['A', 'A (IPv4)'],
  ['AAAA', 'AAAA (IPv6)'],
]
const PLAIN = { maxLength: 253, spellCheck: false, autoCapitalize: 'none' } as const

interface Draft {
  readonly action: KeyAction
  readonly domain: string
  readonly type: RecordType | ''
  readonly ip: string
}

function callOf({ action, domain, type, ip }: Draft): KeyUse {
  return {
    action,
    ...(domain.trim() !== '' && { domain: domain.trim() }),
    ...(type !== '' && { record_type: type }),
    ...(ip.trim() !== '' && { ip: ip.trim() }),
  }
}

function Result({ test }: { readonly test: KeyTest }) {
  const { is_allowed: isAllowed, reasons } = test
  return (
    <div role="status" className={`key-test key-test-${isAllowed ? 'allowed' : 'refused'}`}>
      <Icon name={isAllowed ? 'success' : 'failure'} />
      <div>
        <strong>{isAllowed ? 'Allowed' : 'Refused'}</strong>
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}

interface TestKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** Says whether a key may make a call, and why not, by the rule that applies to real calls. */
export default function TestKeyDialog({ apiKey, onClose }: TestKeyDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    action: apiKey.scope.actions?.[0] ?? 'read',
    domain: firstDomain(apiKey.scope) ?? '',
    type: '',
    ip: '',
  })
  const { mutate, isPending, data, error, reset } = useWrite({
    mutationFn: () => testApiKey(apiKey.id, callOf(draft)),
  })
  const change = (part: Partial<Draft>) => {
    reset()
    setDraft({ ...draft, ...part })
  }
  const faultOf = (field: string) => (error instanceof ApiProblem ? error.of(field) : undefined)
  const isShown = faultOf('domain') !== undefined || faultOf('ip') !== undefined
  return (
    <Modal
      title={`Test “${apiKey.name}”`}
      submit={{ label: 'Test', busyLabel: 'Testing...' }}
      closeLabel="Close"
      isBusy={isPending}
      onClose={onClose}
      onSubmit={mutate}
    >
      <p>May this key make a call? Nothing is changed.</p>
      <div className="choices-row">
        <Select
          label="Action"
          value={draft.action}
          choices={ACTIONS}
          onChange={(action) => change({ action })}
        />
        <Select
          label="Record type"
          value={draft.type}
          choices={TYPES}
          onChange={(type) => change({ type })}
        />
      </div>
      <Field
        label="Domain (optional)"
        name="domain"
        isMonospace
        autoComplete="off"
        value={draft.domain}
        error={faultOf('domain')}
        inputProps={PLAIN}
        onChange={({ target }) => change({ domain: target.value })}
      />
      <Field
        label="From the address (optional)"
        name="ip"
        isMonospace
        autoComplete="off"
        value={draft.ip}
        error={faultOf('ip')}
        inputProps={{ ...PLAIN, maxLength: 60 }}
        onChange={({ target }) => change({ ip: target.value })}
      />
      {error && !isShown && <Failure error={error} />}
      {data && <Result test={data} />}
    </Modal>
  )
}
