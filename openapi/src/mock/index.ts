/** A mock of the API for tests of screens. It is built from the contract; see `mock-api.ts`. */
export { listed } from './list.ts'
export { ContractViolation, MockApi, type MockCall, type MockHandlers } from './mock-api.ts'
export { exampleOf } from './operation-table.ts'
export { ok, problem } from './reply.ts'
