/** The script for bash. It evaluates nothing of what it is given; payctl, not this text, knows what there is to complete. */
export const BASH_SCRIPT = `# Completion of payctl for bash 3.2 and later. Printed by: payctl completion bash

_payctl() {
  local rest=\${COMP_LINE:0:COMP_POINT} words=() redirects='' target='' line order='' read='' open=''
  local redirection='^[[:space:]]*[0-9&]*[<>]+[|&]?[[:space:]]*'
  local piece='^[[:space:]]*(([^[:space:]"'\\''\\<>]|\\\\.|\\\\$|"([^"\\]|\\\\.)*("|$)|'\\''[^'\\'']*('\\''|$))+)'
  COMPREPLY=()
  # COMP_WORDS is cut at = and : and @, so the line is read again: blanks and redirections part it, nothing is expanded.
  while :; do
    if [[ $rest =~ $redirection ]]; then
      redirects=yes target=yes
    elif [[ $rest =~ $piece ]]; then
      rest=\${rest:\${#BASH_REMATCH[0]}} target=$redirects
      _payctl_unquote "\${BASH_REMATCH[1]}"
      [[ $redirects ]] || words+=("$read")
      redirects=''
      continue
    else
      break
    fi
    rest=\${rest:\${#BASH_REMATCH[0]}}
  done
  if [[ $target && -z $rest ]]; then
    _payctl_files "$2" "$2" ''
    return
  fi
  [[ -z $rest ]] || words+=('') open=''
  # What bash will replace is the second argument: the part of the word behind the last = or :, or behind the open quotation mark.
  local word=\${words[\${#words[@]}-1]} kept='' mark=$open
  [[ $mark && $2 != "$mark"* ]] && _payctl_unquote "$2" "$mark" || _payctl_unquote "$2"
  local replaced=$read
  open=$mark
  [[ $word != *"$replaced" ]] || kept=\${word%"$replaced"}
  while IFS= read -r line; do
    case $line in
      :*) order=$line ;;
      ?*) _payctl_offer "\${line%%$'\\t'*}" ;;
    esac
  done <<< "$(payctl __complete --quotes -- "\${words[@]:1}" 2>/dev/null </dev/null)"
  case $order in
    :nospace) compopt -o nospace 2>/dev/null ;;
    :files*) order=\${order#:files} && _payctl_files "$replaced" "$word" "\${order# }" ;;
  esac
  compopt -o nosort 2>/dev/null
}

# Reads a word as bash does: read is its text, open the quotation mark that is not closed. It may begin inside of one.
_payctl_unquote() {
  local text=$1 char
  read='' open=\${2-}
  while [[ $text ]]; do
    char=\${text:0:1} text=\${text:1}
    case $open$char in
      \\' | \\") open=$char ;;
      \\'\\' | \\"\\") open='' ;;
      \\\\) read+=\${text:0:1} text=\${text:1} ;;
      \\"\\\\)
        [[ \${text:0:1} == [\\"\\\\\\$\\\`] ]] || read+=\\\\
        read+=\${text:0:1} text=\${text:1}
        ;;
      *) read+=$char ;;
    esac
  done
}

# Offers a word, without the part that bash keeps, so that bash reads back exactly this text: in an open quotation mark as it is,
# or not at all; outside with a backslash before each character that means something.
_payctl_offer() {
  local text=\${1#"$kept"} rest='' char
  if [[ $open ]]; then
    [[ $text != *[\\"\\'\\\\\\$\\\`!]* ]] || return
  elif [[ $text == *[![:alnum:]_@%+=:,./-]* ]]; then
    rest=$text text=''
  fi
  while [[ $rest ]]; do
    char=\${rest:0:1} rest=\${rest:1}
    [[ $char == [[:alnum:]_@%+=:,./-] ]] || text+=\\\\
    text+=$char
  done
  COMPREPLY+=("$text")
}

# Offers the names of files: what bash will replace, the whole word, and the part of it that stands before the path.
_payctl_files() {
  [[ $2 == "$3$1" ]] && compopt -o default 2>/dev/null && return
  local path=\${2#"$3"} kept=\${2%"$1"} file
  while IFS= read -r file; do
    # A name of several lines comes as several names.
    [[ -e $file && $file != *[[:cntrl:]]* ]] || continue
    [[ -d $file ]] && file=$file/
    _payctl_offer "$3$file"
  done <<< "$(compgen -f -- "$path")"
  [[ \${COMPREPLY[0]-} == */ ]] && compopt -o nospace 2>/dev/null
}

complete -F _payctl payctl
`;
