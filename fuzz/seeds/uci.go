go wtime 1000 btime 1000 winc 10 binc 10 movestogo 40 depth 5 nodes 100 mate 3 searchmoves e2e4 d2d4
go infinite ponder movetime 5
register later
debug on
