/** The script for bash. It evaluates nothing of what it is given; payctl, not this text, knows what there is to complete. */
export const BASH_SCRIPT = `# Completion of payctl for bash 3.2 and later. Printed by: payctl completion bash

_payctl() {
  local rest=\${COMP_LINE:0:COMP_POINT} words=() redirects='' target='' line order=''
  local redirection='^[[:space:]]*[0-9&]*[<>]+[|&]?[[:space:]]*'
  local piece='^[[:space:]]*(([^[:space:]"'\\''\\<>]|\\\\.|\\\\$|"([^"\\]|\\\\.)*("|$)|'\\''[^'\\'']*('\\''|$))+)'
  COMPREPLY=()
  # COMP_WORDS is cut at = and : and @, so the line is read again: blanks and redirections part it, nothing is expanded.
  while :; do
    if [[ $rest =~ $redirection ]]; then
      redirects=yes target=yes
    elif [[ $rest =~ $piece ]]; then
      [[ $redirects ]] || words+=("\${BASH_REMATCH[1]//[\\"\\'\\\\]/}")
      target=$redirects; redirects=''
    else
      break
    fi
    rest=\${rest:\${#BASH_REMATCH[0]}}
  done
  if [[ $target && -z $rest ]]; then
    _payctl_files "$2" "$2" ''
    return
  fi
  [[ -z $rest ]] || words+=('')
  # What bash will replace is the second argument: the part of the word behind the last = or :.
  local word=\${words[\${#words[@]}-1]} replaced=\${2//[\\"\\'\\\\]/} kept=''
  [[ $word != *"$replaced" ]] || kept=\${word%"$replaced"}
  while IFS= read -r line; do
    case $line in
      :*) order=$line ;;
      ?*) line=\${line%%$'\\t'*}; COMPREPLY+=("\${line#"$kept"}") ;;
    esac
  done <<< "$(payctl __complete -- "\${words[@]:1}" 2>/dev/null </dev/null)"
  case $order in
    :nospace) compopt -o nospace 2>/dev/null ;;
    :files*) order=\${order#:files} && _payctl_files "$replaced" "$word" "\${order# }" ;;
  esac
  compopt -o nosort 2>/dev/null
}

# Offers the names of files: what bash will replace, the whole word, and the part of it that stands before the path.
_payctl_files() {
  [[ $2 == "$3$1" ]] && compopt -o default 2>/dev/null && return
  local path=\${2#"$3"} kept=\${2%"$1"} file
  while IFS= read -r file; do
    [[ -n $file ]] || continue
    [[ -d $file ]] && file=$file/
    printf -v file '%s%q' "$3" "$file"
    COMPREPLY+=("\${file#"$kept"}")
  done <<< "$(compgen -f -- "$path")"
  [[ \${COMPREPLY[0]-} == */ ]] && compopt -o nospace 2>/dev/null
}

complete -F _payctl payctl
`;
