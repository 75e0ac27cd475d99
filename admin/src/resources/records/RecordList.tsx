/** The records of all accounts, without the addresses of domains. */
import { SCOPE_RECORD_TYPES } from '@homing/openapi/vocabulary'
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import { OwnerFilter } from '../../list/OwnerFilter.tsx'
import { COLUMNS } from './columns.tsx'

const TYPES = SCOPE_RECORD_TYPES.map((value) => ({ value, label: value }))

export function RecordList() {
  return (
    <ListPage
      resource="records"
      title="Records"
      sort={{ field: 'id', order: 'DESC' }}
      columns={COLUMNS}
      empty="No account has records."
    >
      <Filters>
        <SearchField label="Search name or value" />
        <Choice label="Type" field="type" all="All types" choices={TYPES} />
        <OwnerFilter records="records" />
      </Filters>
    </ListPage>
  )
}
