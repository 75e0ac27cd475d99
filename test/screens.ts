/**
 * Hooks for each test of a screen that runs in a document of jsdom, with the mock API of the contract. The screens' own
 * tsconfig checks this file.
 */
import { type Config, getConfig } from '@testing-library/dom'
import { act, cleanup, configure } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { MockApi } from '@homing/openapi/mock'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/** The library's mark of a query that is repeated until its element appears. Its types leave it out. */
type Repeating = Config & { readonly _disableExpensiveErrorDiagnostics?: boolean }

const { getElementError } = getConfig()

/**
 * The error of a query. Only the last one of a repeated query is seen, and the library adds the document to it: printing
 * the document in each of them took a tenth of the processor time of these tests.
 */
function queryError(message: string | null, container: Element): Error {
  const { _disableExpensiveErrorDiagnostics: isRepeated = false } = getConfig() as Repeating
  return isRepeated ? new Error(message ?? undefined) : getElementError(message, container)
}

interface ScreenSetup {
  readonly mock: MockApi
  /** Runs before each test. */
  readonly begin?: () => void
  /** Runs after each test, while its screen is still mounted: clears the state of the page's modules. */
  readonly leave: () => void
  /** Whether a line on the console is expected. Every other error fails the test. */
  readonly isExpected?: (first: unknown) => boolean
}

/** The documents whose frames are kept alive. */
const framed = new WeakSet<Document>()

/**
 * Keeps the frames of the document in real time. jsdom runs them by an interval that it starts when the first frame is asked
 * for and stops after the last one. Started in the fake time of a test it would never fire again, and the files of a worker
 * share their document: no later test would see a frame.
 */
function keepFrames(): void {
  if (framed.has(document)) return
  framed.add(document)
  const next = requestAnimationFrame.bind(window)
  const again = (): void => void next(again)
  again()
}

/**
 * Lets a step back in the history that a closed dialog asked for happen now: the next test would lose its place by it. A
 * page that a dialog held scrolls again a frame later, which may not come before the next test either.
 */
async function endNavigation(): Promise<void> {
  await new Promise((resume) => setTimeout(resume))
  document.body.removeAttribute('style')
}

/** Called once in the setup file of the tests. */
export function setUpScreens(setup: ScreenSetup): void {
  const { mock, begin, leave, isExpected = () => false } = setup
  let complaints: unknown[] = []
  // The same time-out as `expect.poll`. On a busy machine a test needs more time, and only a failing test waits for all of
  // it.
  configure({ asyncUtilTimeout: 15_000, getElementError: queryError })
  keepFrames()

  beforeEach(() => {
    complaints = []
    vi.spyOn(console, 'error').mockImplementation((...line: unknown[]) => {
      if (!isExpected(line[0])) complaints.push(line)
    })
    // Missing in jsdom: the page is served over HTTPS, and scrolling is not implemented.
    vi.stubGlobal('isSecureContext', true)
    vi.stubGlobal('scrollTo', () => undefined)
    begin?.()
  })

  afterEach(async () => {
    act(leave)
    cleanup()
    vi.useRealTimers()
    await endNavigation()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    try {
      mock.expectNoViolations()
      expect(complaints).toEqual([])
    } finally {
      mock.reset()
    }
  })
}

/** A user with keyboard and mouse, who does not pause between keys. */
export const hands = (): UserEvent => userEvent.setup({ delay: null })

/** Replaces the text of a field in one step, like pasting. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field)
  await user.click(field)
  if (text !== '') await user.paste(text)
}
