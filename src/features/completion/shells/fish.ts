/** The script for fish, which shows the descriptions next to the candidates. */
export const FISH_SCRIPT = `# Completion of payctl for fish. Printed by: payctl completion fish

function __payctl_complete
    set -l words (commandline -opc)
    # Variables may be set before the name of the program.
    while string match -qr '^\\w+=' -- $words[1]
        set -e words[1]
    end
    set -e words[1]
    set -l word (commandline -ct | string replace -ra '["\\'\\\\\\\\]' '')
    set -l order
    for line in (payctl __complete --quotes -- $words "$word" 2>/dev/null </dev/null)
        if string match -q ':*' -- $line
            set order $line
        else
            printf '%s\\n' $line
        end
    end
    if string match -q ':files*' -- $order
        set -l before (string replace -r '^:files ?' '' -- $order)
        set -l path (string sub -s (math (string length -- "$before") + 1) -- "$word")
        for file in (__fish_complete_path $path)
            printf '%s\\n' $before$file
        end
    end
end

complete -c payctl -f -k -a '(__payctl_complete)'
`;
