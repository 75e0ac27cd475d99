/** Registers and changes domains from a CSV file or pasted lines. */
import { BATCH_LIMIT } from '../../../api/domain-file.ts'
import { count, counted } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { ImportFile } from './ImportFile.tsx'
import { reloadDomains } from '../reload-domains.ts'
import { type CheckedLine, useImport } from './use-import.ts'
import './import.css'

/** More than 500 lines with long names and addresses. */
const FILE_LIMIT_BYTES = 512 * 1024

const OUTCOMES = { create: 'Registered', change: 'Changed', delete: 'Deleted' } as const

/** Without the name of the field in the API: `record_ipv4: This is not an address.` */
const textOf = (detail: string) => detail.replace(/^[a-z]+(?:_[a-z0-9]+)*: /, '')

function Verdicts({ lines }: { readonly lines: readonly CheckedLine[] }) {
  // The refused lines first: the user has to do something about them.
  const ordered = lines.toSorted((a, b) => Number(a.verdict.ok) - Number(b.verdict.ok))
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="import-lines" role="region" aria-label="Verdicts" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Domain</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {ordered.map(({ row, verdict: { ok, op, fqdn, detail = 'Refused.' } }) => (
            <tr key={row.line}>
              <td>{row.line}</td>
              <th scope="row" className="monospace">
                {fqdn ?? row.domain}
              </th>
              <td className={ok ? '' : 'import-refused'}>{ok ? OUTCOMES[op] : textOf(detail)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Summary({ lines }: { readonly lines: readonly CheckedLine[] }) {
  const refused = lines.filter(({ verdict }) => !verdict.ok).length
  if (refused === 0) {
    return <Message tone="success">The rules allow {counted(lines.length, 'line')}.</Message>
  }
  return (
    <Message tone="warn">
      The rules refuse {count(refused)} of {counted(lines.length, 'line')}. Correct them above and
      check again, or import the others.
    </Message>
  )
}

export default function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const { text, lines, fault, error, isBusy, type, check, apply } = useImport({
    onImported(imported) {
      void reloadDomains(queries)
      notify({ kind: 'success', text: `${counted(imported, 'domain')} imported.` })
      onClose()
    },
  })
  const allowed = (lines ?? []).filter(({ verdict }) => verdict.ok).length
  const isChecked = lines !== undefined
  return (
    <Modal
      title="Import domains"
      submit={{
        label: isChecked ? `Import ${counted(allowed, 'Domain')}` : 'Check',
        busyLabel: isChecked ? 'Importing...' : 'Checking...',
      }}
      isBusy={isBusy}
      isDisabled={text.trim() === '' || (isChecked && allowed === 0)}
      onClose={onClose}
      onSubmit={isChecked ? apply : check}
    >
      {error && <Failure error={error} otherwise="Failed to import domains" />}
      <ImportFile
        label="CSV or JSON file"
        accept=".csv,.json,.txt,text/csv,application/json,text/plain"
        limitBytes={FILE_LIMIT_BYTES}
        limitText={`${FILE_LIMIT_BYTES / 1024} KB`}
        onFile={({ text: chosen }) => type(chosen)}
      />
      <Field
        label="Or paste lines"
        multiline
        isMonospace
        autoComplete="off"
        value={text}
        error={fault}
        help={`One domain per line, followed by its addresses. At most ${BATCH_LIMIT} lines. Domains that you already have get these addresses. A file with columns can also have tags and notes.`}
        inputProps={{ spellCheck: false, autoCapitalize: 'none' }}
        onChange={(event) => type(event.target.value)}
      />
      {isChecked && (
        <>
          <Summary lines={lines} />
          <Verdicts lines={lines} />
        </>
      )}
    </Modal>
  )
}
