/** How both screens are built: one configuration, so that they are served by the same rules. */
import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'

const COLOR_SCHEME = readFileSync(new URL('src/color-scheme.js', import.meta.url), 'utf8')
const hash = createHash('sha256').update(COLOR_SCHEME).digest('base64url').slice(0, 8)
const COLOR_SCHEME_FILE = `assets/color-scheme-${hash}.js`

/** Puts `color-scheme.js` into the head as a script that the browser waits for: modules come too late. */
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

/** The browser asks for the typeface together with the style sheet that names it, not after it. */
function preloadTypeface(base: string): Plugin {
  return {
    name: 'homing-preload-typeface',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((file) => file.endsWith('.woff2'))
        if (font === undefined) return []
        // Low: on a slow line the scripts come first, and a fallback of the same width stands in.
        const attrs = {
          rel: 'preload',
          as: 'font',
          type: 'font/woff2',
          crossorigin: '',
          fetchpriority: 'low',
        }
        return [{ tag: 'link', attrs: { ...attrs, href: `${base}${font}` }, injectTo: 'head' }]
      },
    },
  }
}

/**
 * The configuration of a screen that is served below `base`.
 *
 * @param base with a slash at both ends, such as `/admin/`
 */
export function screenConfig(base: string): UserConfig {
  return {
    base,
    plugins: [react(), colorScheme(base), preloadTypeface(base)],
    build: {
      target: 'es2023',
      // Pictures in `data:` URLs would need a hole in the security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    // `npm run dev`: screens with hot reload over a service that runs beside it.
    server: { proxy: { '/api': 'http://127.0.0.1:8080', '/nic': 'http://127.0.0.1:8080' } },
  }
}
