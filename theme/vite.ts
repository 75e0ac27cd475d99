/** The build configuration of both web apps. It is shared, so that the same rules serve both. */
import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import react from '@vitejs/plugin-react'
import type { Plugin, Rolldown, UserConfig } from 'vite'
import { homingTheme } from './src/theme.ts'

const COLOR_SCHEME = readFileSync(new URL('src/color-scheme.js', import.meta.url), 'utf8')
const hash = createHash('sha256').update(COLOR_SCHEME).digest('base64url').slice(0, 8)
const COLOR_SCHEME_FILE = `assets/color-scheme-${hash}.js`

/** Adds `color-scheme.js` to the head as a blocking script. Modules would run too late. */
function colorScheme(base: string): Plugin {
  return {
    name: 'homing-color-scheme',
    configureServer(server) {
      server.middlewares.use(`${base}${COLOR_SCHEME_FILE}`, (_request, response) => {
        response.setHeader('content-type', 'text/javascript').end(COLOR_SCHEME)
      })
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: COLOR_SCHEME_FILE, source: COLOR_SCHEME })
    },
    transformIndexHtml: () => [
      { tag: 'script', attrs: { src: `${base}${COLOR_SCHEME_FILE}` }, injectTo: 'head-prepend' },
    ],
  }
}

const cssName = (name: string) =>
  name.startsWith('--') ? name : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const ruleText = ([selector, values]: [string, object]) =>
  `${selector} {${Object.entries(values)
    .map(([name, value]) => `${cssName(name)}:${String(value)}`)
    .join(';')}}`

/**
 * Adds the variables of the theme to the style sheet. `ThemeProvider` would write these 23 kB in the browser, before its
 * first paint; it has `disableStyleSheetGeneration` where this plugin is used.
 */
export const themeVariables: Plugin = {
  name: 'homing-theme-variables',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/theme/src/base.css')) return undefined
    const rules = homingTheme.generateStyleSheets().flatMap((sheet) => Object.entries(sheet))
    return `${code}\n${rules.map(ruleText).join('\n')}`
  },
}

/**
 * The first load in two files: libraries, which a new version of the app rarely changes, and the app. By default, what
 * the first load shares with each later part is a file of its own; browsers then fetch fifty, six at a time.
 */
const FIRST_LOAD: Rolldown.CodeSplittingGroup[] = [
  { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 2 },
  { name: 'app', tags: ['$initial'], priority: 1 },
]

/**
 * The configuration of a web app that is served below `base`.
 *
 * @param base starts and ends with a slash, such as `/admin/`
 */
export function screenConfig(base: string): UserConfig {
  return {
    base,
    plugins: [react(), colorScheme(base)],
    build: {
      target: 'es2023',
      // Images in `data:` URLs would require an exception in the Content Security Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: { groups: FIRST_LOAD } } },
    },
    // `npm run dev`: hot reload, with API calls forwarded to a local service.
    server: { proxy: { '/api': 'http://127.0.0.1:8080', '/nic': 'http://127.0.0.1:8080' } },
  }
}
