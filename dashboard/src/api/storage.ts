/** Browser storage, which may be closed to pages or full: then this page forgets sooner, and nothing fails. */
type Place = 'local' | 'session'

function storage(place: Place): Storage | undefined {
  try {
    return place === 'local' ? localStorage : sessionStorage
  } catch {
    return undefined
  }
}

export const recall = (place: Place, key: string): string | null =>
  storage(place)?.getItem(key) ?? null

export function remember(place: Place, key: string, value: string): void {
  try {
    storage(place)?.setItem(key, value)
  } catch {
    // Full.
  }
}

export function forget(place: Place, ...keys: readonly string[]): void {
  for (const key of keys) storage(place)?.removeItem(key)
}
