/** The entry of the build `pages.js`, which the service loads. */
import type { RenderSitePage } from '@homing/openapi/site'
import { builtAssets } from './assets.ts'
import { pageMarkup } from './page-markup.tsx'

const assets = builtAssets()

/** Writes a page as HTML. */
export const render: RenderSitePage = (page, data) => pageMarkup(page, data, assets)
