import { counted } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { NetworkFailure } from '../../../api/problem.ts'
import type { BulkReport, RefusedLine } from './run-batches.ts'

/** The domains that the service refused, each with its reason. */
function RefusedLines({ lines }: { readonly lines: readonly RefusedLine[] }) {
  return (
    <ul className="refused-lines" aria-label="Domains that were not changed">
      {lines.map(({ domain, reason }) => (
        <li key={domain.id}>
          <span className="monospace">{domain.fqdn}</span>
          <span className="muted">{reason}</span>
        </li>
      ))}
    </ul>
  )
}

/** What became of the domains, in sentences. @param done follows the number of domains: `paused` */
function sentences({ done, refused, held, waiting }: BulkReport, word: string): string[] {
  const domains = (list: readonly unknown[]) => counted(list.length, 'domain')
  return [
    done.length === 0 ? 'Nothing was changed.' : `${domains(done)} ${word}.`,
    ...(refused.length === 0 ? [] : [`The rules refuse ${domains(refused)}.`]),
    ...(held.length === 0
      ? []
      : [`${domains(held)} could be changed, but a batch is applied as a whole.`]),
    ...(waiting.length === 0 ? [] : [`${domains(waiting)} still to do.`]),
  ]
}

interface BulkReportViewProps {
  readonly report: BulkReport
  readonly done: string
}

export function BulkReportView({ report, done }: BulkReportViewProps) {
  const { refused, error } = report
  return (
    <>
      {error && <Failure error={error} />}
      {error instanceof NetworkFailure && (
        <p className="muted">
          The service did not answer the last batch. If you continue, it is not applied twice.
        </p>
      )}
      <Message tone={refused.length > 0 ? 'warn' : 'info'}>
        {sentences(report, done).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Message>
      {refused.length > 0 && <RefusedLines lines={refused} />}
    </>
  )
}
