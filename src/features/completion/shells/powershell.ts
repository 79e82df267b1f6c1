/** The script for PowerShell 5.1 and later. Before version 7 PowerShell asks it for no word that begins with a hyphen. */
export const POWERSHELL_SCRIPT = `# Completion of payctl for PowerShell. Printed by: payctl completion powershell

Register-ArgumentCompleter -Native -CommandName payctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    # A list such as a,b is several elements of the tree, so the text is read again: blanks part it.
    $line = $commandAst.Extent.Text
    $length = $cursorPosition - $commandAst.Extent.StartOffset
    if ($length -gt $line.Length) { $line += ' ' } else { $line = $line.Substring(0, $length) }
    $pieces = [regex]::Matches($line, '(?:"[^"]*"?|''[^'']*''?|[^\\s"''])+')
    $words = @($pieces | Select-Object -Skip 1 | ForEach-Object { $_.Value -replace '["'']', '' })
    # A blank stands for an empty word, which Windows PowerShell would not pass on.
    if ($line -match '\\s$') { $words += ' ' }
    $word = "$($words[-1])".Trim()

    # What PowerShell will replace may be less than the word: the part behind the last comma.
    $replaced = $wordToComplete -replace '["'']', ''
    $kept = if ($word.EndsWith($replaced)) { $word.Length - $replaced.Length } else { 0 }

    # A text that PowerShell would split or evaluate stands in quotation marks; typographic ones end it, too.
    $quoted = {
        param($text)
        if ($text -match '^(?!-[^-])[\\w./\\\\:=,@+-]*$') { return $text }
        "'" + ($text -replace "['\\u2018-\\u201b]", '$0$0') + "'"
    }

    $order = ''
    $results = foreach ($answer in @(payctl __complete '--quotes' '--' @words 2>$null)) {
        if ($answer -match '^:') { $order = $answer; continue }
        $value, $description = $answer -split '\\t', 2
        # PowerShell would take a bare @ for one of its own signs.
        if ($value -match '^@') { continue }
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new((& $quoted $value.Substring($kept)), $value, 'ParameterValue', $description)
    }
    if ($order -match '^:files ?(.*)$') {
        $before = $Matches[1]
        # Without an answer PowerShell completes names of files by itself.
        if ($before -eq '') { return }
        $results = foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($word.Substring($before.Length))) {
            $value = $before + ($file.CompletionText -replace "^'|'$", '' -replace "''", "'")
            [System.Management.Automation.CompletionResult]::new((& $quoted $value.Substring($kept)), $value, 'ParameterValue', $value)
        }
    }
    # An empty answer keeps PowerShell from offering names of files where none belong.
    if ($results) { $results } else { '' }
}
`;
