/**
 * Makes transactions cheap for the garbage collector.
 *
 * For each transaction, knex makes a complete `knex` function with 200 closures, and assigns each of them to a property
 * (`knex[method] = function …`). V8 expects such closures to live long and allocates them in the old generation. They keep
 * the whole transaction alive, with its statements and rows, until the next full collection. Until then, every scavenge
 * copies the transactions that ended since the last one: pauses of 5 to 10 ms instead of 1 ms.
 *
 * Here, a transaction is a small object that inherits these methods from the `knex` of the pool and has its own context and
 * client. knex itself still acquires and releases the connection, begins, commits and rolls back, and makes nested
 * transactions. This file replaces `_onAcquire`, `makeTxClient` and `makeTransactor` in knex's execution/transaction.js.
 * Do not assign functions to properties of one transaction here; put them into the shared prototypes.
 *
 * One difference to knex: listeners on a transaction hear all statements of the pool.
 */
import type { Knex } from 'knex'
import type { Client as Connection } from 'pg'

type Work = (transactor: Knex.Transaction) => unknown

/** The parts of knex's Transaction that are used here. knex does not type it. */
interface KnexTransaction {
  client: KnexClient
  trxClient: TransactionClient
  transactor: Knex.Transaction
  _resolver: (value: unknown) => void
  _rejecter: (error: unknown) => void
  _onAcquire: (work: Work, connection: Connection) => Promise<unknown>
  isCompleted(): boolean
  begin(connection: Connection): Promise<unknown>
  commit(connection: Connection, value?: unknown): Promise<unknown>
  rollback(connection: Connection, error?: unknown): Promise<unknown>
}

/** The parts of knex's client that are used here. */
interface KnexClient {
  readonly constructor: { readonly prototype: KnexClient }
  transaction(work: Work, config: object, outer: KnexTransaction | null): KnexTransaction
  query(connection: Connection, statement: unknown): Promise<unknown>
  emit(event: string, ...values: unknown[]): boolean
}

/** Sends the statements of one transaction. */
interface TransactionClient extends KnexClient {
  ofTransaction: KnexTransaction
  ofConnection: Connection
}

/** Where the methods of a `knex` function find their client. */
interface Context {
  client: TransactionClient
  userParams: object
  _transaction(work: Work, config: object, outer: KnexTransaction): unknown
}

/** The client of the pool, without the pool. */
function clientPrototype(client: KnexClient): TransactionClient {
  const dialect = client.constructor.prototype
  const { version, config, driver, connectionSettings, valueForUndefined, logger } =
    client as KnexClient & Readonly<Record<string, unknown>>
  const settings = { version, config, driver, connectionSettings, valueForUndefined, logger }
  return Object.assign(Object.create(dialect) as TransactionClient, settings, {
    transacting: true,
    async query(this: TransactionClient, connection: Connection, statement: unknown) {
      const isOpen = connection === this.ofConnection && !this.ofTransaction.isCompleted()
      if (!isOpen) throw new Error('Transaction query already complete')
      return dialect.query.call(this, connection, statement)
    },
    async acquireConnection(this: TransactionClient) {
      return this.ofConnection
    },
    async releaseConnection() {},
    emit: (event: string, ...values: unknown[]) => client.emit(event, ...values),
  })
}

function contextPrototype(knex: Knex): Context {
  const { context } = knex as Knex & { readonly context: Context }
  return Object.assign(Object.create(context) as Context, {
    /** A nested transaction, which knex makes itself. */
    transaction(this: Context, work: Work, options: object = {}) {
      const config = { doNotRejectOnRollback: true, ...options }
      return this._transaction(work, config, this.client.ofTransaction)
    },
  })
}

const clientOf = (transactor: Knex.Transaction) => transactor.client as TransactionClient

function transactorPrototype(knex: Knex): object {
  return Object.assign(Object.create(knex) as object, {
    isTransaction: true,
    commit(this: Knex.Transaction, value?: unknown) {
      const { ofTransaction, ofConnection } = clientOf(this)
      return ofTransaction.commit(ofConnection, value)
    },
    rollback(this: Knex.Transaction, error?: unknown) {
      const { ofTransaction, ofConnection } = clientOf(this)
      return ofTransaction.rollback(ofConnection, error)
    },
    savepoint(this: Knex.Transaction, work: (nested: Knex.Transaction) => Promise<unknown>) {
      return this.transaction(work)
    },
    isCompleted(this: Knex.Transaction) {
      return clientOf(this).ofTransaction.isCompleted()
    },
  })
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'

/** Begins, does the work and ends as the work did. Work that returns no promise leaves the end to its caller. */
async function carryOut(
  transaction: KnexTransaction,
  work: Work,
  connection: Connection,
  transactorOf: () => Knex.Transaction,
): Promise<void> {
  await transaction.begin(connection)
  // BEGIN failed, and knex has rejected the transaction.
  if (transaction.isCompleted()) return
  let value: unknown
  try {
    const result = work(transactorOf())
    if (!isPromise(result)) return
    value = await result
  } catch (error) {
    await transaction.rollback(connection, error)
    return
  }
  await transaction.commit(connection, value)
}

/** Makes the transactions of this pool light. */
export function useLightTransactions(knex: Knex): void {
  const pool = knex.client as KnexClient
  const transaction = pool.transaction.bind(pool)
  const contexts = contextPrototype(knex)
  const transactors = transactorPrototype(knex)
  // knex reads the version of PostgreSQL from the first connection.
  let clients: TransactionClient | undefined

  function makeClient(ofTransaction: KnexTransaction, ofConnection: Connection) {
    clients ??= clientPrototype(pool)
    return Object.assign(Object.create(clients) as TransactionClient, {
      ofTransaction,
      ofConnection,
    })
  }

  function makeTransactor(client: TransactionClient, executionPromise: Promise<unknown>) {
    const context = Object.assign(Object.create(contexts) as Context, { client, userParams: {} })
    const table = (name: string) => transactor.queryBuilder().table(name)
    const transactor = Object.assign(Object.setPrototypeOf(table, transactors) as object, {
      context,
      executionPromise,
    }) as unknown as Knex.Transaction
    return transactor
  }

  async function onAcquire(this: KnexTransaction, work: Work, connection: Connection) {
    const client = makeClient(this, connection)
    this.trxClient = client
    const ended = new Promise((resolve, reject) => {
      this._resolver = resolve
      this._rejecter = reject
    })
    const transactorOf = () => (this.transactor = makeTransactor(client, ended))
    carryOut(this, work, connection, transactorOf).catch(this._rejecter)
    return ended
  }

  pool.transaction = (...given) => Object.assign(transaction(...given), { _onAcquire: onAcquire })
}
