import { Readable } from 'node:stream'
import { handlersFor } from '../../plugins/contract.ts'
import { exportQueries } from './export-queries.ts'
import { readSeries } from './series.ts'
import { readSummary } from './summary.ts'

export const dnsAnalyticsHandlers = handlersFor('dns-analytics', {
  async getDnsSummary({ services, principal }) {
    return { body: await readSummary(services, principal) }
  },

  async getDnsStats({ services, principal }) {
    return { body: await readSummary(services, principal) }
  },

  async getQuerySeries({ services, principal, query }) {
    return { body: await readSeries(services, principal, query) }
  },

  async exportQueries({ services, principal, query }) {
    const text = Readable.from(await exportQueries(services, principal, query), {
      objectMode: false,
    })
    if (query.format !== 'csv') return { body: text }
    return { body: text, file: { name: 'dns-queries.csv', contentType: 'text/csv' } }
  },
})
