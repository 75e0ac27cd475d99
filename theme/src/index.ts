export { homingTheme, MONOSPACE } from './theme.ts'
export { dark, light, type Tokens } from './tokens.ts'
