/** An event source that a test plays. */
import { act } from '@testing-library/react'
import type { LiveEvent } from '../src/api/live/stream-source.ts'

export class PlayedSource extends EventTarget {
  static readonly CLOSED = 2
  static opened: PlayedSource[] = []
  readyState = 1
  readonly url: string

  constructor(url: string) {
    super()
    this.url = url
    PlayedSource.opened.push(this)
  }

  close(): void {
    this.readyState = PlayedSource.CLOSED
  }

  say([name, data]: LiveEvent): void {
    act(() => void this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })))
  }

  fail(): void {
    this.close()
    act(() => void this.dispatchEvent(new Event('error')))
  }
}
