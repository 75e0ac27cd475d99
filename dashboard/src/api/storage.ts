/** Browser storage. If it is blocked or full, values are not kept, and nothing fails. */
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
    // The storage is full.
  }
}

export function forget(place: Place, ...keys: readonly string[]): void {
  for (const key of keys) storage(place)?.removeItem(key)
}
