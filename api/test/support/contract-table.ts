/** The contract as one flat list. */
import { operations, type Operation } from '@homing/openapi'

export type ListedOperation = Operation & { readonly id: string }

export const listedOperations: readonly ListedOperation[] = Object.values(operations).flatMap(
  (slice) =>
    Object.entries(slice as Readonly<Record<string, Operation>>).map(([id, operation]) => ({
      ...operation,
      id,
    })),
)
