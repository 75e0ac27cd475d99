/**
 * The colours of both schemes, by purpose. Text has a contrast of at least 4.5 on every background
 * that it appears on; borders of controls and the focus ring have at least 3 (WCAG 2.2 §1.4.3,
 * §1.4.11). `tokens.test.ts` computes the contrasts.
 */
export interface Tokens {
  /** The page background. */
  readonly ground: string
  /** Cards, tables, dialogs, fields. */
  readonly paper: string
  /** Table heads, chips, hovered rows. */
  readonly raised: string
  readonly text: string
  readonly textSecondary: string
  /** Captions, units, secondary text. */
  readonly muted: string
  readonly accent: string
  readonly accentHover: string
  readonly onAccent: string
  readonly link: string
  /** Borders of fields and other controls. */
  readonly controlBorder: string
  /** Decorative lines between rows. */
  readonly divider: string
  readonly ok: string
  readonly okSoft: string
  readonly warn: string
  readonly warnSoft: string
  readonly error: string
  readonly errorSoft: string
  readonly info: string
  readonly infoSoft: string
  readonly focus: string
}

export const light: Tokens = {
  ground: '#F7F8FA',
  paper: '#FFFFFF',
  raised: '#EEF1F5',
  text: '#14181F',
  textSecondary: '#4A5463',
  muted: '#5F6B7A',
  accent: '#0B6E4F',
  accentHover: '#095A41',
  onAccent: '#FFFFFF',
  link: '#0A6B4D',
  controlBorder: '#737F90',
  divider: '#D5DAE1',
  ok: '#15703A',
  okSoft: '#E4F4E9',
  warn: '#8A5300',
  warnSoft: '#FDF1DC',
  error: '#B3261E',
  errorSoft: '#FCE8E6',
  info: '#1D4FA8',
  infoSoft: '#E6EEFB',
  focus: '#1D4ED8',
}

export const dark: Tokens = {
  ground: '#0F1318',
  paper: '#171C23',
  raised: '#1F2630',
  text: '#E8ECF1',
  textSecondary: '#B3BDCA',
  muted: '#93A0B1',
  accent: '#4CC495',
  accentHover: '#6BD3AA',
  onAccent: '#06251A',
  link: '#5FD0A4',
  controlBorder: '#6F7C8D',
  divider: '#2C3541',
  ok: '#5CCB86',
  okSoft: '#13301F',
  warn: '#F0B357',
  warnSoft: '#372813',
  error: '#FF8A80',
  errorSoft: '#3A1A19',
  info: '#8AB4FF',
  infoSoft: '#152642',
  focus: '#8AB4FF',
}
