/** The completion scripts: they pass the words of the line to the program and show what it prints. */
import { COMPLETE, FILES } from './protocol.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * Bash splits words at the characters of COMP_WORDBREAKS, such as `=` and `:`. The program gets whole words: parts without a space
 * between them are joined. Readline replaces only the last part ($2), so the parts before it are removed from the candidates.
 */
const BASH = `# Completion of homing for bash. Load it with: source <(homing completion bash)
_homing() {
  local rest=\${COMP_LINE:0:COMP_POINT} words=() gap part i candidate description
  for ((i = 0; i <= COMP_CWORD; i++)); do
    gap=\${rest%%[![:space:]]*}
    rest=\${rest#"$gap"}
    part=\${COMP_WORDS[i]}
    ((i < COMP_CWORD)) || part=$rest
    rest=\${rest#"$part"}
    if ((i == 0)) || [[ -n $gap ]]; then
      words+=("$part")
    else
      words[\${#words[@]}-1]+=$part
    fi
  done
  local current=\${words[\${#words[@]}-1]#[\\"\\']}
  words[\${#words[@]}-1]=$current
  local before=\${current%"$2"}
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate description; do
    if [[ $candidate == ${FILES} ]]; then
      compopt -o default 2> /dev/null
    else
      COMPREPLY+=("\${candidate#"$before"}")
    fi
  done < <(command homing ${COMPLETE} "\${words[@]:1}" 2> /dev/null)
}
complete -F _homing homing
`

const ZSH = `#compdef homing
# Completion of homing for zsh. Load it after compinit with: source <(homing completion zsh)
# or write it to a file _homing in a folder of fpath.
_homing() {
  local line
  local -a candidates
  for line in "\${(@f)$(command homing ${COMPLETE} "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2> /dev/null)}"; do
    if [[ $line == ${FILES} ]]; then
      compset -P '--*='
      _files
      return
    fi
    [[ -z $line ]] && continue
    candidates+=(\${\${line//:/\\\\:}/$'\\t'/:})
  done
  _describe -V homing candidates
}
if [[ $funcstack[1] == _homing ]]; then
  _homing "$@"
else
  compdef _homing homing
fi
`

const FISH = `# Completion of homing for fish. Write it to ~/.config/fish/completions/homing.fish
function __homing_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l lines (command homing ${COMPLETE} $words "$current" 2> /dev/null)
    if test "$lines" = ${FILES}
        set -l flag (string match -r -- '^--[^=]*=' "$current")
        for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current"))
            echo "$flag$path"
        end
    else
        printf '%s\n' $lines
    end
end
complete -c homing -f -a '(__homing_complete)'
`

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }

/** The script that teaches a shell to complete `homing`. */
export const completionScript = (shell: Shell): string => SCRIPTS[shell]
