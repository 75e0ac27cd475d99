/**
 * The theme of both web apps: borders instead of shadows, one accent colour. Colours become CSS
 * variables (`--mui-palette-…`), so that style sheets without MUI can use them. The document's
 * `data-light` or `data-dark` attribute selects the set.
 */
import { createTheme, type PaletteOptions } from '@mui/material/styles'
import { componentDefaults } from './components.ts'
import { dark, light, type Tokens } from './tokens.ts'

declare module '@mui/material/styles' {
  interface CssThemeVariables {
    enabled: true
  }
  interface TypeBackground {
    /** Table heads, chips, hovered rows. */
    raised: string
  }
  interface TypeText {
    /** Captions, units, secondary text. */
    muted: string
  }
  interface ToneGrounds {
    ok: string
    warn: string
    error: string
    info: string
  }
  interface Palette {
    link: string
    focus: string
    /** Borders of fields and other controls. */
    border: string
    /** Backgrounds for text in the colour of the same name. */
    soft: ToneGrounds
  }
  interface PaletteOptions {
    link?: string
    focus?: string
    border?: string
    soft?: ToneGrounds
  }
}

function palette(tokens: Tokens): PaletteOptions {
  const tone = (main: string) => ({ main, light: main, dark: main, contrastText: tokens.paper })
  return {
    primary: {
      main: tokens.accent,
      light: tokens.accent,
      dark: tokens.accentHover,
      contrastText: tokens.onAccent,
    },
    secondary: tone(tokens.textSecondary),
    success: tone(tokens.ok),
    warning: tone(tokens.warn),
    error: tone(tokens.error),
    info: tone(tokens.info),
    background: { default: tokens.ground, paper: tokens.paper, raised: tokens.raised },
    text: {
      primary: tokens.text,
      secondary: tokens.textSecondary,
      disabled: tokens.muted,
      muted: tokens.muted,
    },
    divider: tokens.divider,
    link: tokens.link,
    focus: tokens.focus,
    border: tokens.controlBorder,
    soft: {
      ok: tokens.okSoft,
      warn: tokens.warnSoft,
      error: tokens.errorSoft,
      info: tokens.infoSoft,
    },
  }
}

const SANS = '"Inter Variable", "Inter Fallback", system-ui, sans-serif'

const step = (sizePixels: number, fontWeight: number, lineHeight: number) => ({
  fontSize: `${sizePixels / 16}rem`,
  fontWeight,
  lineHeight,
  letterSpacing: sizePixels >= 20 ? '-0.01em' : '0',
})

/** Only the sizes 12, 13, 14, 16, 20, 24 and 32 pixels. */
const typography = {
  fontFamily: SANS,
  fontSize: 14,
  fontWeightRegular: 400,
  fontWeightMedium: 500,
  fontWeightBold: 600,
  h1: step(24, 600, 1.25),
  h2: step(20, 600, 1.3),
  h3: step(16, 600, 1.35),
  h4: step(16, 600, 1.35),
  h5: step(14, 600, 1.35),
  h6: step(14, 600, 1.35),
  subtitle1: step(16, 500, 1.5),
  subtitle2: step(14, 500, 1.5),
  body1: step(14, 400, 1.5),
  body2: step(13, 400, 1.5),
  button: { ...step(14, 500, 1.5), textTransform: 'none' as const },
  caption: step(12, 400, 1.5),
  overline: { ...step(12, 500, 1.5), textTransform: 'none' as const },
}

export const homingTheme = createTheme({
  cssVariables: { colorSchemeSelector: 'data' },
  colorSchemes: { light: { palette: palette(light) }, dark: { palette: palette(dark) } },
  defaultColorScheme: 'light',
  spacing: 4,
  shape: { borderRadius: 6 },
  typography,
  focusVisible: {
    outline: '2px solid var(--mui-palette-focus)',
    outlineOffset: 2,
  },
  transitions: {
    duration: {
      shortest: 100,
      shorter: 120,
      short: 140,
      standard: 160,
      complex: 200,
      enteringScreen: 160,
      leavingScreen: 120,
    },
  },
  components: componentDefaults,
})
