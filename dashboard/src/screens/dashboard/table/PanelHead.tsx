/** The head of the list: search, sort on phones, and what concerns all domains. */
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import type { DomainListRequest } from '../../../api/domain-list.ts'
import type { LiveState } from '../../../api/live/shared-stream.ts'
import { textOf } from '../../../api/problem.ts'
import { usePageActions } from '../../../keyboard/page-actions.ts'
import { exportDomains } from '../import/export-file.ts'
import { LiveStatus } from '../LiveStatus.tsx'
import { PhoneSort } from '../PhoneSort.tsx'
import { SearchField } from '../SearchField.tsx'

interface PanelHeadProps {
  readonly list: DomainListRequest
  /** Undefined while the rows are missing or out of date. */
  readonly live: LiveState | undefined
  /** When the list was last read. */
  readonly readAt: number
  readonly limitReason: string | undefined
  readonly onSearch: (text: string) => void
  readonly onSort: (sort: DomainListRequest['sort']) => void
  readonly onAdd: () => void
  readonly onImport: () => void
}

/** Import and export of all domains. */
function Files({ onImport }: Pick<PanelHeadProps, 'onImport'>) {
  const { mutate, isPending } = useWrite({
    mutationFn: () => exportDomains(),
    onError: (error) =>
      notify({ kind: 'failure', text: textOf(error, 'The domains could not be exported.') }),
  })
  const save = () => mutate()
  usePageActions([
    { label: 'Import Domains', icon: 'up', run: onImport },
    { label: 'Export Domains', icon: 'down', run: save },
  ])
  return (
    <span className="panel-files">
      <button type="button" className="button" onClick={onImport}>
        Import
      </button>
      <button type="button" className="button" onClick={save} aria-disabled={isPending}>
        {isPending ? 'Exporting...' : 'Export'}
      </button>
    </span>
  )
}

export function PanelHead(props: PanelHeadProps) {
  const { list, live, readAt, limitReason, onSearch, onSort, onAdd, onImport } = props
  return (
    <>
      <div className="panel-head">
        <h2 id="domains-title" tabIndex={-1}>
          Domains
        </h2>
        {live !== undefined && <LiveStatus live={live} readAt={readAt} />}
        <SearchField
          label="Search domains and addresses"
          placeholder="Search, or tag:office"
          help="Filters: zone:, status:, monitor:, type:, ip:, tag: and note:"
          value={list.search}
          onSearch={onSearch}
        />
        <PhoneSort sort={list.sort} onSort={onSort} />
        <Files onImport={onImport} />
        <button
          type="button"
          className="button button-main"
          disabled={limitReason !== undefined}
          aria-describedby={limitReason === undefined ? undefined : 'limit-reason'}
          onClick={onAdd}
        >
          <Icon name="add" />
          Add Domain
        </button>
      </div>
      {limitReason !== undefined && (
        <p id="limit-reason" className="limit-reason">
          {limitReason}
        </p>
      )}
    </>
  )
}
