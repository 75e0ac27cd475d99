/**
 * Builds the sign-in screen that browsers show before the app runs, in two steps: first its blocking script, which must be
 * one file; then, with `--ssr`, the module that writes the screen into the build (`src/entry/write.tsx`). The build runs it.
 */
import { defineConfig, type UserConfig } from 'vite'

const script: UserConfig = {
  build: {
    target: 'es2023',
    manifest: 'entry-assets.json',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { entry: 'src/entry/start.ts' } },
  },
}

const writer: UserConfig = {
  // Without it, the screen would have the class names of a development build.
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    target: 'node22',
    rolldownOptions: { input: 'src/entry/write.tsx', output: { entryFileNames: 'write.js' } },
  },
}

export default defineConfig(({ isSsrBuild }) => {
  const { build, ...rest } = isSsrBuild ? writer : script
  return {
    ...rest,
    base: '/',
    publicDir: false,
    build: { ...build, emptyOutDir: false, reportCompressedSize: false },
  }
})
