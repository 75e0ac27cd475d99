/** Saves files of domains, in the form of the service's export. */
import { csvLine, EXPORT_FIELDS } from '../../../api/domain-file.ts'
import { exportedRows } from '../../../api/domain-export.ts'
import { saveFile } from '../../../components/save-file.ts'
import type { SelectedDomain } from '../table/use-selection.ts'

const FILE_NAME = 'domains.csv'

/** Saves the selected domains, or all, as a CSV file. @throws ApiProblem, NetworkFailure */
export async function exportDomains(selected?: readonly SelectedDomain[]): Promise<void> {
  const names = selected && new Set(selected.map(({ fqdn }) => fqdn))
  const rows = (await exportedRows()).filter(({ domain }) => names?.has(domain) ?? true)
  const lines = rows.map((row) => csvLine(EXPORT_FIELDS.map((name) => String(row[name] ?? ''))))
  const text = [csvLine(EXPORT_FIELDS), ...lines].join('')
  saveFile(new Blob([text], { type: 'text/csv' }), FILE_NAME)
}
