/**
 * Writes the sign-in screen as a page of its own: `login.html`, the page of the app with the screen in it. A browser shows
 * it when it has the page and its styles; React takes over the same elements when the scripts are there.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { App } from '../App.tsx'
import ownStyles from './entry.css?inline'

interface WrittenScreen {
  readonly markup: string
  /** The rules that a browser gets from scripts otherwise. */
  readonly styles: string
}

const NOT_LOADED = renderToString(
  <div className="notices entry-failed" role="alert">
    <ul>
      <li className="notice notice-failure">
        <span>The page could not be loaded completely. Check your connection.</span>
        <a href="/login">Reload</a>
      </li>
    </ul>
  </div>,
)

/** The sign-in screen, and its styles apart from it: the policy of the page refuses style elements with a content. */
export function writtenScreen(): WrittenScreen {
  const cache = createCache({ key: 'css' })
  // Keeps the rules in the cache instead of the markup.
  cache.compat = true
  const markup = renderToString(
    <CacheProvider value={cache}>
      <StrictMode>
        <App />
      </StrictMode>
    </CacheProvider>,
  )
  const rules = Object.values(cache.inserted).filter((rule) => typeof rule === 'string')
  return { markup, styles: `${rules.join('\n')}\n${ownStyles}` }
}

function replaced(page: string, what: RegExp, by: string): string {
  if (!what.test(page)) throw new Error(`the page of the app has no ${String(what)}`)
  return page.replace(what, () => by)
}

/** The page of the app with the screen. @param files the URLs of its own style sheet and of `start.ts` */
export function withScreen(
  page: string,
  { markup }: WrittenScreen,
  files: { readonly style: string; readonly start: string },
): string {
  const style = `<link rel="stylesheet" href="${files.style}">`
  const changes: readonly (readonly [RegExp, string])[] = [
    [/<div id="root"><\/div>/, `<div id="root">${markup}</div>${NOT_LOADED}`],
    [/<script src="[^"]*color-scheme[^"]*"><\/script>/, `<script src="${files.start}"></script>`],
    [/<script src="[^"]*ahead[^"]*"><\/script>\s*/, ''],
    [/<title>.*<\/title>/, '<title>Sign in · Homing</title>'],
    [/(?=<\/head>)/, style],
  ]
  return changes.reduce((text, [what, by]) => replaced(text, what, by), page)
}

/** Adds `login.html` and its style sheet to a build. @param dist contains the app and the list with `start.ts` */
export function write(dist: string): void {
  const screen = writtenScreen()
  const digest = createHash('sha256').update(screen.styles).digest('base64url').slice(0, 8)
  const style = `/assets/sign-in-${digest}.css`
  const list = JSON.parse(readFileSync(join(dist, 'entry-assets.json'), 'utf8')) as Readonly<
    Record<string, { readonly file: string } | undefined>
  >
  const start = `/${list['src/entry/start.ts']?.file ?? ''}`
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  writeFileSync(join(dist, style), screen.styles)
  writeFileSync(join(dist, 'login.html'), withScreen(page, screen, { style, start }))
}
