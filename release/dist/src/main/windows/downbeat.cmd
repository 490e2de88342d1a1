@echo off
rem Runs Downbeat on Windows with the Java in runtime\ if there is one, else JAVA_HOME's, else the one on the PATH.
rem DOWNBEAT_JAVA_OPTS adds JVM flags.
setlocal
set "DOWNBEAT_HOME=%~dp0.."
set "DOWNBEAT_JAVA=java"
if defined JAVA_HOME set "DOWNBEAT_JAVA=%JAVA_HOME%\bin\java.exe"
if exist "%DOWNBEAT_HOME%\runtime\bin\java.exe" set "DOWNBEAT_JAVA=%DOWNBEAT_HOME%\runtime\bin\java.exe"
if exist "%DOWNBEAT_JAVA%" goto run
if "%DOWNBEAT_JAVA%"=="java" where java >nul 2>&1 && goto run
echo downbeat: no Java found: "%DOWNBEAT_JAVA%" is not there. Install Java 17 or newer, or set JAVA_HOME to one. 1>&2
exit /b 1
:run
rem A JVM with two collectors does not start, so the user's collector replaces the default one.
set "DOWNBEAT_OUR_COLLECTOR="
setlocal EnableDelayedExpansion
for %%v in (DOWNBEAT_JAVA_OPTS JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS _JAVA_OPTIONS) do for %%c in (Parallel G1 Z Shenandoah Epsilon) do if defined %%v if not "!%%v:-XX:+Use%%cGC=!"=="!%%v!" set "DOWNBEAT_OUR_COLLECTOR=-XX:-UseSerialGC"
endlocal & set "DOWNBEAT_OUR_COLLECTOR=%DOWNBEAT_OUR_COLLECTOR%"
"%DOWNBEAT_JAVA%" "@%DOWNBEAT_HOME%\lib\jvm.options" %DOWNBEAT_OUR_COLLECTOR% %DOWNBEAT_JAVA_OPTS% -jar "%DOWNBEAT_HOME%\lib\downbeat.jar" %*
if not %ERRORLEVEL%==1 exit /b %ERRORLEVEL%
rem Java 8 takes the options file for a class name, and 9 to 16 reject a flag in it: neither message names the version.
"%DOWNBEAT_JAVA%" -version 2>&1 | findstr /r /c:"version .1[.0-6]" /c:"version .9" >nul && echo downbeat: Java 17 or newer is needed, but "%DOWNBEAT_JAVA%" is older. Install Java 17 or newer, or set JAVA_HOME to one. 1>&2
exit /b 1
