/**
 * Shows, while a visitor types a name, in which zones it is free. The form does not depend on it: without an answer, or
 * before one, the form continues to the registration.
 */
const PAUSE_MS = 300

interface ZoneAnswer {
  readonly zone: string
  readonly available: boolean
}

function isAnswer(value: unknown): value is readonly ZoneAnswer[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each: unknown) =>
        typeof each === 'object' && each !== null && 'zone' in each && 'available' in each,
    )
  )
}

const UNPROCESSABLE = 422

/** @returns why the name is invalid, as a text; undefined if the service does not say: a rate limit, a failure */
async function ask(
  label: string,
  signal: AbortSignal,
): Promise<readonly ZoneAnswer[] | string | undefined> {
  try {
    const url = `/api/zones/availability?label=${encodeURIComponent(label)}`
    const response = await fetch(url, { signal, headers: { accept: 'application/json' } })
    const answer = (await response.json()) as { readonly detail?: string } | null
    if (response.status === UNPROCESSABLE) return answer?.detail
    return response.ok && isAnswer(answer) ? answer : undefined
  } catch {
    return undefined
  }
}

function lineOf(label: string, { zone, available }: ZoneAnswer): HTMLLIElement {
  const line = document.createElement('li')
  const domain = `${label}.${zone}`
  const name = document.createElement('span')
  name.className = 'name-result'
  name.textContent = domain
  const verdict = document.createElement(available ? 'a' : 'span')
  if (verdict instanceof HTMLAnchorElement) {
    verdict.href = `/register?domain=${encodeURIComponent(domain)}`
    verdict.textContent = 'Available: register'
  } else {
    verdict.className = 'muted'
    verdict.textContent = 'Not available'
  }
  line.append(name, verdict)
  return line
}

/** What a screen reader hears: one sentence, not the list. */
function summaryOf(label: string, answer: readonly ZoneAnswer[]): string {
  if (answer.length === 0) return ''
  const free = answer.filter(({ available }) => available).map(({ zone }) => `${label}.${zone}`)
  return free.length === 0
    ? `${label} is not available. Try another name.`
    : `Available: ${free.join(', ')}.`
}

export function showAvailability(): void {
  const field = document.querySelector<HTMLInputElement>('#name-field')
  const list = document.querySelector('#name-results')
  const status = document.querySelector('#name-status')
  if (field === null || list === null || status === null) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = new AbortController()

  async function look(label: string): Promise<void> {
    const { signal } = asked
    const answer = label === '' ? undefined : await ask(label, signal)
    if (signal.aborted) return
    const zones = typeof answer === 'string' ? [] : (answer ?? [])
    list?.replaceChildren(...zones.map((each) => lineOf(label, each)))
    if (status === null) return
    status.textContent = typeof answer === 'string' ? answer : summaryOf(label, zones)
    // The list shows the same to those who see it.
    status.classList.toggle('visually-hidden', typeof answer !== 'string')
  }
  const lookSoon = () => {
    clearTimeout(timer)
    asked.abort()
    asked = new AbortController()
    timer = setTimeout(() => void look(field.value.trim().toLowerCase()), PAUSE_MS)
  }
  field.addEventListener('input', lookSoon)
  // The browser restores what was typed when the visitor comes back.
  if (field.value !== '') lookSoon()
}
