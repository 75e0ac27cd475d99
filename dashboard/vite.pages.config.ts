/**
 * Builds the public pages in two steps: first the files that browsers load, with a list of their
 * names; then, with `--ssr`, the module that the service loads to write the HTML. The module contains
 * all of its libraries, because a deployment of the service does not install them.
 */
import { defineConfig, type UserConfig } from 'vite'

/** The list of the names of the built files. `src/pages/assets.ts` reads it. */
const ASSET_LIST = 'pages-assets.json'

const files: UserConfig = {
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: ASSET_LIST,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        start: 'src/pages/islands/start.ts',
        landing: 'src/pages/islands/landing.ts',
        pricing: 'src/pages/islands/pricing.ts',
        pages: 'src/pages/pages.css',
      },
    },
  },
}

const server: UserConfig = {
  // Without it, the module would contain React for development too, and choose at run time.
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    target: 'node22',
    rolldownOptions: {
      input: 'src/pages/render.tsx',
      output: { entryFileNames: 'pages.js' },
    },
  },
}

export default defineConfig(({ isSsrBuild }) => {
  const { build, ...rest } = isSsrBuild ? server : files
  return {
    ...rest,
    base: '/',
    publicDir: false,
    build: { ...build, emptyOutDir: false, reportCompressedSize: false },
  }
})
