/** The script for zsh, to be sourced or to be put as `_payctl` into a directory of `fpath`. */
export const ZSH_SCRIPT = `#compdef payctl
# Completion of payctl for zsh. Printed by: payctl completion zsh

_payctl() {
  local -a typed lines offered
  local line value order
  typed=("\${(@Q)words[2,CURRENT]}")
  typed[CURRENT-1]="\${(Q)PREFIX}"
  lines=("\${(@f)$(payctl __complete --quotes -- "\${typed[@]}" 2>/dev/null </dev/null)}")
  for line in "\${lines[@]}"; do
    # A backslash is for _describe, which parts a value from its description by a colon; zsh quotes what it inserts.
    value="\${\${\${line%%$'\\t'*}//\\\\/\\\\\\\\}//:/\\\\:}"
    case "$line" in
      :*) order="$line" ;;
      *$'\\t'*) offered+=("$value:\${line#*$'\\t'}") ;;
      ?*) offered+=("$value") ;;
    esac
  done
  case "$order" in
    :files*)
      order="\${order#:files}"
      compset -p \${#order# }
      _files
      ;;
    :nospace) _describe -V payctl offered -S '' ;;
    *) _describe -V payctl offered ;;
  esac
}

if [[ "$funcstack[1]" == _payctl ]]; then
  # Found by way of fpath, where this file is the body of the function: the first key press comes here.
  _payctl "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _payctl payctl
fi
`;
