/** The names of the built files that the pages load. */
import { readFileSync } from 'node:fs'

export interface PageAssets {
  readonly style: string
  /** Sets the colour scheme before the first paint, and opens the app when the URL is one of its screens. */
  readonly start: string
  /** The islands of the landing page. */
  readonly landing: string
  /** The island of the pricing page. */
  readonly pricing: string
}

/** A part of Vite's manifest: source → built file. */
type Manifest = Readonly<Record<string, { readonly file: string } | undefined>>

function builtFile(manifest: Manifest, source: string): string {
  const built = manifest[`src/pages/${source}`]
  if (built === undefined) throw new Error(`the build of the pages has no ${source}`)
  return `/${built.file}`
}

/** The files of the build that contains this module. @throws Error if the build is incomplete */
export function builtAssets(): PageAssets {
  const list = new URL('./pages-assets.json', import.meta.url)
  const manifest = JSON.parse(readFileSync(list, 'utf8')) as Manifest
  return {
    style: builtFile(manifest, 'pages.css'),
    start: builtFile(manifest, 'islands/start.ts'),
    landing: builtFile(manifest, 'islands/landing.ts'),
    pricing: builtFile(manifest, 'islands/pricing.ts'),
  }
}
