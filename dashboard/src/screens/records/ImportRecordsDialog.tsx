/** Imports a zone file, chosen or pasted. It first shows what would change, and the lines that are wrong. */
import { count, counted, enumeration } from '@homing/theme/formats'
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useQueryClient } from '@tanstack/react-query'
import type { ZoneFileResult } from '../../api/records.ts'
import { ImportFile } from '../dashboard/import/ImportFile.tsx'
import { LeaveGuard } from '../frame/LeaveGuard.tsx'
import { relativeOwner, type RecordPlace } from './record-place.ts'
import { reloadRecords } from './reload-records.ts'
import { FILE_LIMIT_BYTES, useZoneFile, type ZoneFile } from './use-zone-file.ts'
import '../dashboard/import/import.css'

const VERBS = [
  ['created', 'added'],
  ['changed', 'changed'],
  ['deleted', 'deleted'],
] as const

/** `12 records added, 1 changed`; undefined if nothing changes. */
function changesText(result: ZoneFileResult): string | undefined {
  const parts = VERBS.filter(([field]) => result[field] > 0).map(([field, verb], n) =>
    n === 0 ? `${counted(result[field], 'record')} ${verb}` : `${count(result[field])} ${verb}`,
  )
  return parts.length === 0 ? undefined : enumeration(parts)
}

/** Whether a line is wrong. A line that is left out does not prevent the import. */
const isRefused = ({ problems }: ZoneFileResult): boolean =>
  problems.some(({ is_skipped }) => !is_skipped)

interface ProblemsProps {
  readonly result: ZoneFileResult
  readonly apex: string
}

function Problems({ result: { problems, problem_count }, apex }: ProblemsProps) {
  // The wrong lines first: the user has to do something about them.
  const ordered = problems.toSorted((a, b) => Number(a.is_skipped) - Number(b.is_skipped))
  const more = problem_count - problems.length
  return (
    <>
      {/* It scrolls, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="import-lines record-lines" role="region" aria-label="Lines" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Record</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {ordered.map(({ line, owner, type, detail, is_skipped }, n) => (
              // A line can have several problems.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={`${line} ${n}`}>
                <td>{line}</td>
                <th scope="row" className="monospace">
                  {owner !== null && relativeOwner(owner, apex)} {type}
                </th>
                <td className={is_skipped ? '' : 'import-refused'}>
                  {is_skipped && <span className="badge record-left-out">Left out</span>}
                  {detail}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p className="muted">And {counted(more, 'other line')}.</p>}
    </>
  )
}

function Summary({ result }: { readonly result: ZoneFileResult }) {
  const changes = changesText(result)
  const same =
    result.unchanged > 0 ? ` ${counted(result.unchanged, 'record')} stay as they are.` : ''
  if (isRefused(result)) {
    return (
      <Message tone="warn">
        Some lines are wrong, so nothing can be imported. Correct them and check again.
      </Message>
    )
  }
  return changes === undefined ? (
    <Message tone="info">The file changes nothing.{same}</Message>
  ) : (
    <Message tone="success">
      The rules allow the file: {changes}.{same}
    </Message>
  )
}

interface TextFieldProps {
  readonly file: ZoneFile
  readonly onFile: (file: ZoneFile) => void
}

/** Pasted lines. The text of a chosen file can be too long for a field. */
function TextField({ file, onFile }: TextFieldProps) {
  if (file.name !== undefined) {
    const lines = file.text.split('\n').length
    return (
      <p>
        <span className="monospace">{file.name}</span>, {counted(lines, 'line')}.{' '}
        <button type="button" className="text-button" onClick={() => onFile({ text: '' })}>
          Paste Lines Instead
        </button>
      </p>
    )
  }
  return (
    <Field
      label="Or paste lines"
      multiline
      isMonospace
      autoComplete="off"
      value={file.text}
      placeholder='www 3600 IN TXT "hello"'
      help="Names are relative to the domain or zone. SOA, the zone’s own NS and addresses of domains are left out."
      inputProps={{ spellCheck: false, autoCapitalize: 'none' }}
      onChange={({ target }) => onFile({ text: target.value })}
    />
  )
}

interface ImportRecordsDialogProps {
  readonly place: RecordPlace
  readonly onClose: () => void
}

export default function ImportRecordsDialog({ place, onClose }: ImportRecordsDialogProps) {
  const queries = useQueryClient()
  const zoneFile = useZoneFile({
    place,
    onImported(result) {
      void reloadRecords(queries)
      notify({ kind: 'success', text: `Imported: ${changesText(result) ?? 'nothing changed'}.` })
      onClose()
    },
  })
  const { file, replace, result, error, isBusy, isEmpty } = zoneFile
  const isChecked = result !== undefined
  const canImport = isChecked && !isRefused(result) && changesText(result) !== undefined
  return (
    <Modal
      title="Import records"
      width="sm"
      submit={{
        label: isChecked ? 'Import' : 'Check',
        busyLabel: isChecked ? 'Importing...' : 'Checking...',
      }}
      isBusy={isBusy}
      isDisabled={isEmpty || (isChecked && !canImport)}
      onClose={onClose}
      onSubmit={isChecked ? zoneFile.apply : zoneFile.check}
    >
      {error && <Failure error={error} otherwise="Failed to import the records" />}
      <ImportFile
        label="Zone file"
        accept=".zone,.db,.txt,text/plain,text/dns"
        limitBytes={FILE_LIMIT_BYTES}
        limitText={`${FILE_LIMIT_BYTES / 1024 / 1024} MB`}
        onFile={zoneFile.take}
      />
      <TextField file={file} onFile={zoneFile.take} />
      <CheckField
        name="replace"
        isChecked={replace}
        help="Without it, they stay. The file’s records replace those of the same name and type in both cases."
        onChange={zoneFile.setReplace}
      >
        Delete records that the file does not have
      </CheckField>
      {result !== undefined && (
        <>
          <Summary result={result} />
          {result.problems.length > 0 && <Problems result={result} apex={place.apex} />}
        </>
      )}
      {file.name === undefined && !isEmpty && <LeaveGuard isInDialog />}
    </Modal>
  )
}
