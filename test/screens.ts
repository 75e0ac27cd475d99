/** Before and after each test of a screen that runs in a document of jsdom, over the mock API of the contract. The screens' own tsconfig checks this file. */
import { act, cleanup, configure } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { MockApi } from '@homing/openapi/mock'
import { afterEach, beforeEach, expect, vi } from 'vitest'

interface ScreenSetup {
  readonly mock: MockApi
  /** Before each test. */
  readonly begin?: () => void
  /** After each test, while its screen is there: puts away what modules of the page remember. */
  readonly leave: () => void
  /** Whether a line on the console is expected; any other error fails the test. */
  readonly isExpected?: (first: unknown) => boolean
}

/** What a test sets up once in its file's setup. */
export function setUpScreens(setup: ScreenSetup): void {
  const { mock, begin, leave, isExpected = () => false } = setup
  let complaints: unknown[] = []
  // As long as `expect.poll`: on a busy machine what is waited for takes longer, and only a failure waits to the end.
  configure({ asyncUtilTimeout: 15_000 })

  beforeEach(() => {
    complaints = []
    vi.spyOn(console, 'error').mockImplementation((...line: unknown[]) => {
      if (!isExpected(line[0])) complaints.push(line)
    })
    // What jsdom lacks: the page is served by https, and has no place to scroll to.
    vi.stubGlobal('isSecureContext', true)
    vi.stubGlobal('scrollTo', () => undefined)
    begin?.()
  })

  afterEach(() => {
    act(leave)
    cleanup()
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

/** Hands for the keyboard and the mouse, without a pause between keys. */
export const hands = (): UserEvent => userEvent.setup({ delay: null })

/** Replaces the text of a field, at once as by pasting. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field)
  await user.click(field)
  if (text !== '') await user.paste(text)
}
