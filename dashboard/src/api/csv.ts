/** Cells of files for spreadsheets, as the API writes them. */
export { csvLine } from '@homing/openapi/client'
