/** Files of domains, and the operations of a batch, as the API has them. */
export {
  BATCH_LIMIT,
  type BatchOperation,
  csvLine,
  EXPORT_FIELDS,
  FileFault,
  type FileRow,
  operationOf,
  pastedRowsOf,
} from '@homing/openapi/client'
