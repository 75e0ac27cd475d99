import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { screenConfig, themeVariables } from '@homing/theme/vite'
import type { Plugin } from 'vite'

const AHEAD = readFileSync(new URL('src/entry/ahead.js', import.meta.url), 'utf8')
const digest = createHash('sha256').update(AHEAD).digest('base64url').slice(0, 8)
const AHEAD_FILE = `assets/ahead-${digest}.js`

/** Adds `entry/ahead.js` to the head as a blocking script: it runs while the modules are on their way. */
const callsAhead: Plugin = {
  name: 'homing-calls-ahead',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: AHEAD_FILE, source: AHEAD })
  },
  transformIndexHtml: () => [
    { tag: 'script', attrs: { src: `/${AHEAD_FILE}` }, injectTo: 'head-prepend' },
  ],
}

const config = screenConfig('/')
export default { ...config, plugins: [callsAhead, themeVariables, config.plugins] }
