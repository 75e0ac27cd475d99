/**
 * Loads the module that writes the public pages: `pages.js` in the build of the dashboard. It is loaded at the first
 * request, so that a service without pages, or one that serves routers only, never loads it. A new build is loaded when
 * the file changes.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RenderSitePage } from '@homing/openapi/site'

interface Loaded {
  readonly version: number
  readonly module: Promise<{ readonly render: RenderSitePage }>
}

export interface Renderer {
  /** Changes with the build. */
  readonly version: number
  readonly render: RenderSitePage
}

export class PageRenderer {
  readonly #file: string
  #loaded: Loaded | undefined

  /** @param folder the build of the dashboard */
  constructor(folder: string) {
    this.#file = join(folder, 'pages.js')
  }

  /** Undefined if the pages are not built. @throws Error if the build is broken */
  async current(): Promise<Renderer | undefined> {
    const version = await stat(this.#file).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
    if (version === undefined) return undefined
    if (this.#loaded?.version !== version) {
      const url = `${pathToFileURL(this.#file).href}?${version}`
      this.#loaded = { version, module: import(url) }
    }
    const { render } = await this.#loaded.module
    return { version, render }
  }
}
