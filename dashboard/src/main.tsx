import '@homing/theme/base.css'
import { homingTheme } from '@homing/theme'
import { ThemeProvider } from '@mui/material/styles'
import Button from '@mui/material/Button'
import { createRoot } from 'react-dom/client'

const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <ThemeProvider theme={homingTheme}>
      <Button variant="contained">Sign in</Button>
    </ThemeProvider>,
  )
}
