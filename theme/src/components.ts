/** The default styles and behaviour of MUI components. */
import type { ThemeOptions } from '@mui/material/styles'

/** Floating elements have a border in addition to the shadow, which makes them visible in both schemes. */
const floating = {
  border: '1px solid var(--mui-palette-divider)',
  backgroundImage: 'none',
  boxShadow: '0 8px 24px rgb(0 0 0 / 0.16)',
}

// The type that `createTheme` takes, by name: comparing it with a copy of itself takes the compiler half a minute.
export const componentDefaults: NonNullable<ThemeOptions['components']> = {
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiButton: {
    defaultProps: { disableElevation: true, size: 'small' },
    styleOverrides: {
      root: {
        minHeight: 36,
        paddingInline: 14,
        whiteSpace: 'nowrap',
        // The system sets the background colours, so a filled button would have no visible edge.
        '@media (forced-colors: active)': { border: '1px solid' },
      },
      outlined: { borderColor: 'var(--mui-palette-border)' },
    },
  },
  MuiIconButton: { defaultProps: { size: 'small' } },
  MuiTextField: { defaultProps: { size: 'small', variant: 'outlined', fullWidth: true } },
  MuiOutlinedInput: {
    styleOverrides: {
      // The label stands above the field, not in its border.
      notchedOutline: {
        top: 0,
        borderColor: 'var(--mui-palette-border)',
        '& legend': { display: 'none' },
      },
      // iOS zooms in on a focused field whose text is smaller than 16 px.
      input: { '@media (max-width: 600px)': { fontSize: '1rem' } },
    },
  },
  MuiInputLabel: {
    defaultProps: { shrink: true },
    styleOverrides: {
      root: {
        position: 'static',
        marginBottom: 6,
        transform: 'none',
        pointerEvents: 'auto',
        color: 'var(--mui-palette-text-secondary)',
        fontSize: '0.8125rem',
        fontWeight: 500,
        lineHeight: 1.5,
        '&.Mui-focused': { color: 'var(--mui-palette-text-secondary)' },
      },
    },
  },
  MuiFormHelperText: { styleOverrides: { root: { marginInline: 0, fontSize: '0.8125rem' } } },
  MuiPaper: {
    defaultProps: { variant: 'outlined' },
    styleOverrides: { rounded: { borderRadius: 10 } },
  },
  MuiDialog: {
    styleOverrides: {
      paper: {
        ...floating,
        '@media (max-width: 480px)': {
          width: 'calc(100% - 32px)',
          maxHeight: 'calc(100% - 32px)',
          margin: 16,
        },
      },
    },
  },
  MuiDialogTitle: {
    styleOverrides: { root: { fontSize: '1.25rem', paddingBlock: 16, overflowWrap: 'anywhere' } },
  },
  MuiDialogActions: {
    styleOverrides: {
      root: {
        padding: '12px 24px 20px',
        gap: 12,
        // Buttons that do not fit beside each other are below each other, the main one first.
        flexWrap: 'wrap-reverse',
        '& > :not(style) ~ :not(style)': { marginLeft: 0 },
        '@media (max-width: 360px)': { '& > button': { flex: '1 1 auto' } },
      },
    },
  },
  MuiMenu: { styleOverrides: { paper: floating } },
  MuiPopover: { styleOverrides: { paper: floating } },
  MuiTooltip: {
    styleOverrides: {
      tooltip: {
        fontSize: '0.8125rem',
        color: 'var(--mui-palette-background-default)',
        backgroundColor: 'var(--mui-palette-text-primary)',
      },
    },
  },
  MuiAlert: {
    defaultProps: { variant: 'standard' },
    styleOverrides: {
      root: { fontSize: '0.875rem', color: 'var(--mui-palette-text-primary)' },
      standard: {
        variants: [
          tone('success', 'ok'),
          tone('warning', 'warn'),
          tone('error', 'error'),
          tone('info', 'info'),
        ],
      },
    },
  },
  MuiLink: { styleOverrides: { root: { color: 'var(--mui-palette-link)' } } },
}

function tone(severity: 'success' | 'warning' | 'error' | 'info', ground: string) {
  return {
    props: { severity },
    style: {
      backgroundColor: `var(--mui-palette-soft-${ground})`,
      '& .MuiAlert-icon': { color: `var(--mui-palette-${severity}-main)` },
    },
  }
}
