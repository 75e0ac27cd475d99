/** How webhooks were answered, for the metrics of the API. */
import type { ProviderName } from './provider.ts'

/** `repeated`: the event was stored before. `refused`: forged or stale. */
export type WebhookOutcome = 'stored' | 'repeated' | 'refused'

export class WebhookCounts {
  readonly #counts = new Map<string, number>()

  add(provider: ProviderName, outcome: WebhookOutcome): void {
    const key = `${provider} ${outcome}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  entries(): { readonly provider: string; readonly outcome: string; readonly count: number }[] {
    return Array.from(this.#counts, ([key, count]) => {
      const [provider = '', outcome = ''] = key.split(' ')
      return { provider, outcome, count }
    })
  }
}
