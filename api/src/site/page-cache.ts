/** A cache of rendered pages, by the data that they were rendered from. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { SitePageData, SitePageName } from '@homing/openapi/site'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { Renderer } from './page-renderer.ts'

export interface WrittenPage {
  readonly text: string
  readonly gzip: Buffer
  readonly etag: string
}

/** The landing page shows the visitor's address, so there is one page for each address, of some 20 kB. */
const PAGES_KEPT = 200

function writtenPage(text: string): WrittenPage {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  return { text, gzip: gzipSync(text), etag: `"${digest}"` }
}

export class PageCache {
  readonly #pages = new BoundedMap<string, WrittenPage>(PAGES_KEPT)

  /** A page, rendered again if the build or its data changed. */
  page<Page extends SitePageName>(
    { version, render }: Renderer,
    page: Page,
    data: SitePageData<Page>,
  ): WrittenPage {
    const key = `${version} ${page} ${JSON.stringify(data)}`
    const kept = this.#pages.get(key)
    if (kept !== undefined) return kept
    const made = writtenPage(render(page, data))
    this.#pages.set(key, made)
    return made
  }
}
